// What a touch opens: in place over the right-hand column, never over the board.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { open, type Sheet, useStore } from "../store";
import type { View } from "../types";
import { pictureAddress } from "../parts/Picture";
import { Cards } from "./Cards";
import { Correction } from "./Correction";
import { Entry, Story } from "./Story";
import { PlayerSheet } from "./Player";
import { ReactionsSheet } from "./Reactions";
import { RulesSheet } from "./Rules";
import { SightSheet } from "./Sight";
import { Trade } from "./Trade";
import { WhySheet } from "./Why";

export function Sheets({ view }: { view: View }) {
  const { sheet } = useStore();
  if (!sheet) return null;
  return <>{content(sheet, view)}</>;
}

function content(sheet: Sheet, view: View): ComponentChildren {
  switch (sheet.kind) {
    case "correct":
      return <Correction key={sheet.entry} entry={sheet.entry} view={view} />;
    case "why":
      return <WhySheet entry={sheet.entry} view={view} />;
    case "story":
      return <Story view={view} />;
    case "entry":
      return <Entry entry={sheet.entry} view={view} />;
    case "player":
      return <PlayerSheet name={sheet.player} view={view} />;
    case "trade":
      return <Trade name={sheet.player} view={view} />;
    case "cards":
      return <Cards place={sheet.decision} view={view} />;
    case "sight":
      return <SightSheet view={view} />;
    case "reactions":
      return <ReactionsSheet view={view} />;
    case "rules":
      return <RulesSheet />;
    case "picture":
      return (
        <Frame title="What the camera saw" onClose={() => open(sheet.back)}>
          <img class="large-picture" src={pictureAddress(sheet.picture)} alt="What the camera saw" />
        </Frame>
      );
  }
}

interface FrameProps {
  title: ComponentChildren;
  children: ComponentChildren;
  onClose?: () => void;
  part?: string;
}

export function Frame({ title, children, onClose, part }: FrameProps) {
  const close = onClose ?? (() => open(null));
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return (
    <section class="sheet" ref={shown} data-part={part ?? "sheet"}>
      <div class="sheet-head">
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      <div class="sheet-body">{children}</div>
    </section>
  );
}

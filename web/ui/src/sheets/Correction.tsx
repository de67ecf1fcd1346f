// "Not so": the picture, of a throw all dice, the likeliest alternatives with their consequences, then everything else.
// Two taps in all; where more than one of three dice or more was read wrong, one more for each.

import { useEffect, useState } from "preact/hooks";
import { change, read, send } from "../link";
import { ThrowPicker } from "../parts/Dice";
import { Picture } from "../parts/Picture";
import { get, open, useStore } from "../store";
import type { Action, Alternative, LogLine, View } from "../types";
import { consequences, type Preview } from "./preview";
import { Frame } from "./Sheet";

/** How many alternatives stand as large buttons, each with what it would change. */
const LARGE = 4;

export function Correction({ entry, view }: { entry: number; view: View }) {
  const line = view.log.find((one) => one.entry === entry);
  const alternatives = useAlternatives(entry, view.version);
  const [chosen, choose] = useState<Alternative | null>(null);
  if (!line) return null;
  const dice = Array.isArray(line.action?.roll) ? (line.action.roll as number[]) : null;
  const likeliest = alternatives?.filter((one) => one.probability !== 0).slice(0, LARGE) ?? [];
  // Other throws are touched as dice.
  const rest = alternatives?.filter((one) => !likeliest.includes(one) && !(dice && "roll" in one.action)) ?? [];
  return (
    <Frame title="Not so" part="correction">
      <div class="statement">
        <p>{line.text}</p>
        {line.picture && <Picture picture={line.picture} alt="What the camera saw" />}
      </div>
      {chosen && <Chosen entry={entry} alternative={chosen} onBack={() => choose(null)} />}
      {!chosen && (
        <>
          {dice && <OtherDice entry={entry} line={line} dice={dice} />}
          {alternatives === null && <p class="quiet-text">Looking for what it may have been …</p>}
          {dice && likeliest.length > 0 && <h3>Likeliest</h3>}
          <div class="alternatives">
            {likeliest.map((alternative) => (
              <Likely key={alternative.label} entry={entry} alternative={alternative} version={view.version} />
            ))}
          </div>
          {rest.length > 0 && <Rest rest={rest} onChoose={choose} />}
          <Never entry={entry} line={line} />
        </>
      )}
    </Frame>
  );
}

function useAlternatives(entry: number, version: number): Alternative[] | null {
  const [found, take] = useState<Alternative[] | null>(null);
  useEffect(() => {
    let wanted = true;
    read<{ alternatives: Alternative[] }>(`alternatives?entry=${entry}`)
      .then((answer) => wanted && take(answer.alternatives))
      .catch(() => wanted && take([]));
    return () => {
      wanted = false;
    };
  }, [entry, version]);
  return found;
}

/** What an alternative would change, asked for as soon as it is shown: the button itself is the preview. */
function usePreview(entry: number, action: Action, version: number): Preview | null {
  const [preview, take] = useState<Preview | null>(null);
  useEffect(() => {
    let wanted = true;
    send<{ result: unknown }>("amend", { version, entry, action, preview: true })
      .then((answer) => wanted && take(consequences(answer.result)))
      .catch((error: Error) => wanted && take({ lines: [error.message], impossible: true }));
    return () => {
      wanted = false;
    };
  }, [entry, JSON.stringify(action), version]);
  return preview;
}

async function apply(entry: number, action: Action): Promise<void> {
  if (await change("amend", { entry, action, preview: false })) open(null);
}

function Likely({ entry, alternative, version }: { entry: number; alternative: Alternative; version: number }) {
  const { waiting, link } = useStore();
  const preview = usePreview(entry, alternative.action, version);
  const share = alternative.probability;
  return (
    <button
      type="button"
      class="alternative bar"
      style={share != null ? { "--share": share } : undefined}
      disabled={waiting || link !== "live" || preview?.impossible}
      onClick={() => void apply(entry, alternative.action)}
    >
      <span class="alternative-label">{alternative.label}</span>
      {preview?.lines.slice(0, 3).map((text) => <small>{text}</small>)}
    </button>
  );
}

/** Stands first, where nothing that is still being worked out can move it under a finger. */
function OtherDice({ entry, line, dice }: { entry: number; line: LogLine; dice: number[] }) {
  const say = (faces: number[]) => {
    if (line.status !== "no_longer_fits" && String(faces) === String(dice)) open(null);
    else void apply(entry, { roll: faces });
  };
  return (
    <div class="other">
      <h3>What was thrown?</h3>
      <ThrowPicker hand={line.sides ?? dice.map(() => 6)} read={dice} onDone={say} />
    </div>
  );
}

function Rest({ rest, onChoose }: { rest: Alternative[]; onChoose: (alternative: Alternative) => void }) {
  return (
    <div class="other">
      <h3>Something else</h3>
      <div class="rest">
        {rest.map((alternative) => (
          <button type="button" key={alternative.label} onClick={() => onChoose(alternative)}>
            {alternative.label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Chosen({ entry, alternative, onBack }: { entry: number; alternative: Alternative; onBack: () => void }) {
  const { waiting } = useStore();
  const version = get().view?.version ?? 0;
  const preview = usePreview(entry, alternative.action, version);
  return (
    <div class="chosen" data-part="preview">
      <h3>{alternative.label}</h3>
      {preview ? preview.lines.map((text) => <p>{text}</p>) : <p class="quiet-text">Working out what that changes …</p>}
      <div class="row">
        <button type="button" class="large" onClick={onBack}>
          Back
        </button>
        <button
          type="button"
          class="large likeliest"
          disabled={waiting || !preview || preview.impossible}
          onClick={() => void apply(entry, alternative.action)}
        >
          Yes, that is how it was
        </button>
      </div>
    </div>
  );
}

function Never({ entry, line }: { entry: number; line: LogLine }) {
  const { waiting, link } = useStore();
  if (line.status === "undone") return null;
  const drop = async () => {
    if (await change("drop", { entry })) open(null);
  };
  return (
    <button type="button" class="large never" disabled={waiting || link !== "live"} onClick={() => void drop()}>
      It never happened
    </button>
  );
}

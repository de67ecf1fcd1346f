// NOW: the newest thing that matters, in type that can be read from across the table.

import { change } from "../link";
import { figure } from "../format";
import { open, useStore } from "../store";
import type { View } from "../types";
import { DiceRow } from "./Dice";
import { Picture } from "./Picture";

/** What became of log lines that count. */
const STANDS = new Set(["done", "amended"]);

export function Now({ view }: { view: View }) {
  const now = view.now;
  if (!now) return <FirstThrow view={view} />;
  const amount = figure(now.headline);
  // What is shown large may be what followed from the throw: the dice lead to the throw itself.
  const throwEntry = [...view.log].reverse().find((line) => Array.isArray(line.action?.roll) && STANDS.has(line.status))?.entry;
  const correctThrow = () => throwEntry !== undefined && open({ kind: "correct", entry: throwEntry });
  return (
    <section class="now" data-part="now" data-kind={now.kind} aria-live="polite">
      {(now.dice || amount) && (
        <div class="now-top">
          {now.dice && (
            <button type="button" class="plain now-dice" aria-label="The dice are wrong" disabled={!throwEntry} onClick={correctThrow}>
              <DiceRow dice={now.dice} sides={now.sides ?? []} />
              {now.sum != null && (now.dice.length === 2 || now.dice[0] === null) && <span class="huge sum">{now.sum}</span>}
            </button>
          )}
          {amount && <span class="huge amount">{amount}</span>}
        </div>
      )}
      <div class="now-middle">
        <div class="now-words">
          <h2 class={now.headline.length > 60 ? "long" : undefined}>{now.headline}</h2>
          {now.lines?.map((line) => <p>{line}</p>)}
        </div>
        {now.picture && <Picture picture={now.picture} alt="What the camera saw" />}
      </div>
      <Touch view={view} entry={now.entry} why={now.why} />
    </section>
  );
}

function Touch({ view, entry, why }: { view: View; entry: number | null; why?: boolean }) {
  const { waiting } = useStore();
  return (
    <div class="now-touch">
      {entry !== null && why && (
        <button type="button" onClick={() => open({ kind: "why", entry })}>
          Why?
        </button>
      )}
      {entry !== null && (
        <button type="button" onClick={() => open({ kind: "correct", entry })}>
          Not so
        </button>
      )}
      <span class="gap" />
      <button
        type="button"
        class="icon"
        aria-label="Take back the last step"
        disabled={waiting || view.can_undo === false}
        onClick={() => void change("undo", {})}
      >
        <svg viewBox="0 0 24 24">
          <path class="line" d="M9 5L4 10l5 5M4.500 10H14a6 5 0 0 1 0 10h-4" />
        </svg>
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Put it back"
        disabled={waiting || view.can_redo === false}
        onClick={() => void change("redo", {})}
      >
        <svg viewBox="0 0 24 24">
          <path class="line" d="M15 5l5 5-5 5M19.500 10H10a6 5 0 0 0 0 10h4" />
        </svg>
      </button>
    </div>
  );
}

function FirstThrow({ view }: { view: View }) {
  const player = view.snapshot?.turn.player;
  return (
    <section class="now first" data-part="now" data-kind="waiting">
      <div class="now-words">
        <h2>{player ? `${player} begins.` : "Ready."}</h2>
        <p>Throw the dice and move the token; the board here follows.</p>
      </div>
    </section>
  );
}

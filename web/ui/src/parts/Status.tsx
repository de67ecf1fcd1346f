// The status line: whose turn, which stage, how well the camera sees, and what one touch silences.

import { faceOf } from "../palette";
import { percent, sentence } from "../format";
import { open, useStore } from "../store";
import { toggle, useSettings } from "../settings";
import type { Sight, View } from "../types";
import { Mark } from "./Mark";

export function Status({ view }: { view: View }) {
  const { link } = useStore();
  const snapshot = view.snapshot;
  const player = snapshot?.turn.player;
  const stage = snapshot && snapshot.stage !== "play" ? sentence(snapshot.stage) : null;
  return (
    <header class="status" data-part="status">
      {player && (
        <div class="whose">
          <Mark face={faceOf(view.players, player)} size={48} />
          <div>
            {view.phase === "over" ? <h1>Game over</h1> : <Turn name={player} />}
            {stage && <p class="stage">{stage}</p>}
          </div>
        </div>
      )}
      {link === "live" ? <Light view={view} /> : <Lost />}
      <Toggles />
    </header>
  );
}

/** Fewer readings say nothing in percent. */
const ENOUGH = 10;

/** A longer word of the light has a line of its own: what went wrong is never cut short. */
const LONG = 40;

/** "Bob’s turn", or the name alone where there is no room for both. */
function Turn({ name }: { name: string }) {
  return (
    <h1>
      <span>{name}</span>
      <span>{name.endsWith("s") ? "’" : "’s"} turn</span>
    </h1>
  );
}

function Lost() {
  return (
    <div class="light lost" role="status" data-part="lost">
      <span class="lamp blind" />
      <span class="light-words">
        <b>No connection</b>
        <span>coming back by itself</span>
      </span>
    </div>
  );
}

function Light({ view }: { view: View }) {
  const camera = view.sight?.camera;
  const tower = view.sight?.tower;
  const shown: [string, Sight][] = [];
  if (camera && camera.state !== "none") shown.push(["Camera", camera]);
  if (tower && tower.state !== "none") shown.push(["Tower", tower]);
  if (!shown.length) shown.push(["", { state: "none", word: "by hand" }]);
  const worst = shown.find(([, sight]) => sight.state === "blind") ?? shown.find(([, sight]) => sight.state === "unsure") ?? shown[0];
  if (!worst) return null;
  const [name, sight] = worst;
  const word = lightWord(sight);
  return (
    <button type="button" class={`light is-${sight.state}${word.length > LONG ? " is-long" : ""}`} aria-label={`How it sees: ${word}`} onClick={() => open({ kind: "sight" })} data-part="light" data-state={sight.state}>
      <span class={`lamp ${sight.state}`} />
      <span class="light-words">
        <b>
          {name} {sight.state === "well" && shareRight(view)}
        </b>
        <span>{word}</span>
      </span>
    </button>
  );
}

/** How many of the last readings did not have to be put right: a figure of this very table. */
function shareRight(view: View): string {
  const { readings = 0, corrected = 0 } = view.sight ?? {};
  return readings < ENOUGH ? "" : percent(1 - corrected / readings);
}

export function lightWord(sight: Sight): string {
  if (sight.word) return sight.word;
  return { well: "sees well", unsure: "unsure", blind: "blind: tap instead" }[sight.state] ?? sight.state;
}

function Toggles() {
  const settings = useSettings();
  return (
    <div class="toggles">
      <button type="button" class="icon" aria-label="Sound" aria-pressed={settings.sound} onClick={() => toggle("sound")}>
        <svg viewBox="0 0 24 24">
          <path d="M4 9v6h4l5 4V5L8 9z" />
          {settings.sound ? <path class="line" d="M16 9q2 3 0 6M18.5 6.5q4 5.5 0 11" /> : <path class="line" d="M16.5 9.5l5 5m0-5l-5 5" />}
        </svg>
      </button>
      <button type="button" class="icon" aria-label="Speech" aria-pressed={settings.speech} onClick={() => toggle("speech")}>
        <svg viewBox="0 0 24 24">
          <path class="line" d="M4 5h16v11h-9l-4 4v-4H4z" />
          {settings.speech ? <path class="line" d="M8 9h8M8 12h5" /> : <path class="line" d="M9.5 8l5 5m0-5l-5 5" />}
        </svg>
      </button>
      <button type="button" class="icon" aria-label="Night" aria-pressed={settings.night} onClick={() => toggle("night")}>
        <svg viewBox="0 0 24 24">
          {settings.night ? (
            <path d="M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3m0 16v3M1 12h3m16 0h3M4.5 4.5l2 2m11 11l2 2m0-15l-2 2m-11 11l-2 2" class="line" />
          ) : (
            <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z" />
          )}
        </svg>
      </button>
    </div>
  );
}

// What may come next and what is on record of whom, in the variant's own sentences.

import { faceOf } from "../palette";
import type { View } from "../types";
import { Mark } from "./Mark";

export function Outlook({ view }: { view: View }) {
  const lines = view.outlook ?? [];
  if (view.phase === "over" || lines.length === 0) return null;
  return (
    <section class="stage outlook" data-part="outlook" aria-live="polite">
      <p>{lines[0]}</p>
      {lines.length > 1 && <p class="ahead">{lines.slice(1).join(" ")}</p>}
    </section>
  );
}

/** Inside the board where there is room, else below it. */
export function Records({ view, where }: { view: View; where: "inside" | "below" }) {
  const records = Object.entries(view.records ?? {}).filter(([, told]) => told.length > 0);
  if (view.phase === "over" || records.length === 0) return null;
  return (
    <section class={`records ${where}`} data-part="records">
      <h3>On record</h3>
      <ul>
        {records.map(([player, told]) => (
          <li key={player} data-record={player}>
            <Mark face={faceOf(view.players, player)} size={24} />
            <span>
              <b>{player}</b> {told.join(" ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// What may come next and what is on record of whom, in the variant's own sentences.

import type { View } from "../types";

export function Outlook({ view }: { view: View }) {
  const lines = view.outlook ?? [];
  const records = Object.entries(view.records ?? {}).filter(([, told]) => told.length > 0);
  if (view.phase === "over" || (lines.length === 0 && records.length === 0)) return null;
  return (
    <section class="stage" data-part="outlook">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {records.length > 0 && (
        <ul class="roles">
          {records.map(([player, told]) => (
            <li key={player} data-record={player}>
              <b>{player}</b> {told.join(" ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

// The end, and the order in which they came in.

import { faceOf } from "../palette";
import { money } from "../format";
import { open, set, useStore } from "../store";
import type { View } from "../types";
import { Mark } from "./Mark";

export function Over({ view }: { view: View }) {
  const { board } = useStore();
  const winners = view.winners.length ? view.winners : (view.snapshot?.winners ?? []);
  const turns = view.snapshot?.turn.number ?? 0;
  return (
    <section class="now over" data-part="now" data-kind="over">
      <div class="winners">
        {winners.map((name) => (
          <Mark face={faceOf(view.players, name)} size={96} />
        ))}
        <h2 class="huge">{winners.length ? `${listed(winners)} ${winners.length > 1 ? "win" : "wins"}` : "Nobody wins"}</h2>
      </div>
      {view.now?.lines?.map((line) => <p>{line}</p>)}
      <p>
        {turns} turns
        {winners.length === 1 && winners[0] ? `, ${money(view.snapshot?.players[winners[0]]?.cash ?? 0, board)} in hand` : ""}.
      </p>
      <div class="now-touch">
        <button type="button" class="large" onClick={() => open({ kind: "story" })}>
          How it went
        </button>
        <button type="button" class="large" onClick={() => set({ another: true })}>
          Another game
        </button>
        {view.now?.entry != null && (
          <button type="button" class="large" onClick={() => open({ kind: "correct", entry: view.now?.entry ?? 0 })}>
            Not so
          </button>
        )}
      </div>
    </section>
  );
}

function listed(names: string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

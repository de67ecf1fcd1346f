// Games that can be gone on with.

import { sentence, words } from "../format";
import { notice, send, take } from "../link";
import type { View } from "../types";
import type { SavedGame } from "./types";

export function Resume({ games }: { games: SavedGame[] }) {
  const resume = (game: string) =>
    send<View>("setup/resume", { game })
      .then(take)
      .catch((error: Error) => notice(error.message));
  return (
    <section class="step resume-step">
      <h2>Go on with a game</h2>
      <div class="tiles one">
        {games.map((one) => (
          <button type="button" class="tile" key={one.game} data-game={one.game} onClick={() => void resume(one.game)}>
            {one.players.join(", ")}
            <small>
              {sentence(words(one.variant))}
              {one.turn != null && `, turn ${one.turn}`}
              {one.started && `, ${when(one.started)}`}
              {one.over && ", over"}
            </small>
          </button>
        ))}
      </div>
    </section>
  );
}

function when(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

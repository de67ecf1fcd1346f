// How long players are asked for a reaction: at set-up, and at any time of the game.

import { change } from "../link";
import { useStore } from "../store";
import type { View } from "../types";
import { Frame } from "./Sheet";

const REACTION_S: [number | null, string][] = [
  [null, "Until they answer"],
  [15, "15 seconds"],
  [30, "30 seconds"],
  [60, "A minute"],
];

export function ReactionTimes({ value, onChange, dead }: { value: number | null; onChange: (seconds: number | null) => void; dead?: boolean }) {
  return (
    <div class="tiles">
      {REACTION_S.map(([seconds, title]) => (
        <button
          type="button"
          class={seconds === value ? "tile picked" : "tile"}
          aria-pressed={seconds === value}
          disabled={dead}
          onClick={() => onChange(seconds)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

export function ReactionsSheet({ view }: { view: View }) {
  const { waiting, link } = useStore();
  return (
    <Frame title="Reactions" part="reactions">
      <p>How long are players asked for a reaction? Then the answer is no. Whoever is asked just now has all of the new time.</p>
      <ReactionTimes
        value={view.game?.reaction_s ?? null}
        dead={waiting || link !== "live"}
        onChange={(reaction_s) => void change("settings", { reaction_s })}
      />
    </Frame>
  );
}

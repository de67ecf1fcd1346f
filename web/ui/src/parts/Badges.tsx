// What is to be known of a player at a glance: a picture and a figure each.

import type { Badge } from "../types";

/** Line drawings around (0, 0), 24 units wide. */
export const SIGNS: Record<string, string> = {
  chairman: "M0 -10a10 10 0 1 0 .1 0zM0 -6a6 6 0 1 0 .1 0z",
  wanted: "M0 -11L3.200 -3.400L10.500 -3.400L4.700 1.600L6.800 9.500L0 5L-6.800 9.500L-4.700 1.600L-10.500 -3.400L-3.200 -3.400Z",
  card: "M-7 -10h14v20h-14zM-3 -5h6M-3 0h6",
  bomb: "M-1 -5a7.500 7.500 0 1 0 .1 0M3 -4l3 -4M6 -8q3 -3 5 0",
  miner: "M-9 10L5 -4M-5 -8Q6 -9 9 5",
  house: "M-8 9V-1L0 -9L8 -1V9Z",
};

export function Badges({ badges, wanted }: { badges: Badge[] | undefined; wanted: boolean }) {
  const shown = badges?.filter(({ kind }) => (kind === "wanted") === wanted) ?? [];
  if (!shown.length) return null;
  return (
    <span class="badges">
      {shown.map(({ kind, text, label }) => (
        <span key={kind} class={`badge is-${kind}`} role="img" aria-label={label} title={label} data-badge={kind}>
          <svg viewBox="-12 -12 24 24" aria-hidden="true">
            <path d={SIGNS[kind] ?? SIGNS.card} />
          </svg>
          {text !== "1" && text}
        </span>
      ))}
    </span>
  );
}

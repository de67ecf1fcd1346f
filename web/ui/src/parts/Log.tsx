// The log: its last lines, each to be touched and put right.

import { open } from "../store";
import type { LogLine, View } from "../types";

export function Log({ view }: { view: View }) {
  const last = view.log.slice(-6).reverse();
  const sight = view.sight;
  return (
    <section class="log" data-part="log">
      <div class="log-top">
        <button type="button" class="log-head" onClick={() => open({ kind: "story" })} aria-label="The whole story">
          <span>What happened</span>
          {sight?.readings ? (
            <span class="readings">
              {sight.readings === 1 ? "1 reading" : `last ${sight.readings} readings`}, {sight.corrected ?? 0} put right
            </span>
          ) : null}
          <span aria-hidden="true">All ›</span>
        </button>
        <button type="button" class="log-rules" onClick={() => open({ kind: "rules" })}>
          Rules
        </button>
        {view.game?.has_reactions && (
          <button type="button" class="log-rules" onClick={() => open({ kind: "reactions" })}>
            Reactions
          </button>
        )}
      </div>
      <div class="log-lines">
        {last.map((line) => (
          <Line key={line.entry} line={line} />
        ))}
      </div>
    </section>
  );
}

export const BY: Record<string, string> = { camera: "seen", tower: "tower", tablet: "tapped", referee: "worked out", table: "time is up" };

/** What became of a line, where it is not simply as it was first said. */
export const STATUS: Record<string, string> = { undone: "taken back", dropped: "left out", amended: "put right" };

export function Line({ line }: { line: LogLine }) {
  return (
    <button
      type="button"
      class={`line ${line.status}`}
      data-entry={line.entry}
      data-status={line.status}
      onClick={() => open({ kind: "entry", entry: line.entry })}
    >
      <span class="line-text">
        {line.status === "no_longer_fits" && <b>No longer fits: </b>}
        {line.text}
        {line.status === "no_longer_fits" && line.reason && <small> {line.reason}</small>}
      </span>
      <span class="line-by">
        {STATUS[line.status] ?? (line.action ? (BY[line.by] ?? line.by) : "")}
      </span>
    </button>
  );
}

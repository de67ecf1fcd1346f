// The whole log, turn by turn; and one line of it with its picture.

import { percent } from "../format";
import { change } from "../link";
import { Picture } from "../parts/Picture";
import { BY, Line, STATUS } from "../parts/Log";
import { open, set, useStore } from "../store";
import type { View } from "../types";
import { Frame } from "./Sheet";

export function Story({ view }: { view: View }) {
  const lines = [...view.log].reverse();
  return (
    <Frame title="What happened" part="story">
      <div class="log-lines all">
        {lines.map((line, at) => (
          <>
            {line.turn != null && line.turn !== lines[at - 1]?.turn && <h3 key={`turn-${line.turn}-${at}`}>Turn {line.turn}</h3>}
            <Line key={line.entry} line={line} />
          </>
        ))}
      </div>
      <button type="button" class="large quiet" onClick={() => set({ another: true })}>
        Another game …
      </button>
    </Frame>
  );
}

export function Entry({ entry, view }: { entry: number; view: View }) {
  const line = view.log.find((one) => one.entry === entry);
  const { waiting, link } = useStore();
  if (!line) return null;
  if (line.status === "no_longer_fits") {
    return (
      <Frame title="No longer fits" part="entry" onClose={() => open({ kind: "story" })}>
        <div class="statement">
          <p>{line.text}</p>
          {line.picture && <Picture picture={line.picture} alt="What the camera saw" />}
        </div>
        {line.reason && <p>{line.reason}</p>}
        <div class="row">
          <button type="button" class="large" onClick={() => open({ kind: "correct", entry })}>
            Put it right
          </button>
          <button
            type="button"
            class="large"
            disabled={waiting || link !== "live"}
            onClick={() => void change("drop", { entry }).then((done) => done && open(null))}
          >
            Leave it out
          </button>
        </div>
      </Frame>
    );
  }
  return (
    <Frame title={line.turn != null ? `Turn ${line.turn}` : "The log"} part="entry">
      <div class="statement">
        <p class="why-text">{line.text}</p>
        {line.picture && <Picture picture={line.picture} alt="What the camera saw" />}
      </div>
      {line.reason && <p>{line.reason}</p>}
      <p class="quiet-text">
        {BY[line.by] ?? line.by}
        {line.confidence != null && line.is_read && `, ${percent(line.confidence)} sure`}
        {STATUS[line.status] && ` · ${STATUS[line.status]}`}
      </p>
      <div class="row">
        {line.why && (
          <button type="button" class="large" onClick={() => open({ kind: "why", entry })}>
            Why?
          </button>
        )}
        {line.action && line.status !== "undone" && line.status !== "dropped" && (
          <button type="button" class="large" onClick={() => open({ kind: "correct", entry })}>
            Not so
          </button>
        )}
      </div>
    </Frame>
  );
}


// "Not so": the picture, the likeliest alternatives with their consequences, then everything else, of a throw all dice.
// Two taps in all; where more than one of three dice or more was read wrong, one more for each.

import { useEffect, useState } from "preact/hooks";
import { change, read, send } from "../link";
import { ThrowPicker } from "../parts/Dice";
import { Picture } from "../parts/Picture";
import { get, open, useStore } from "../store";
import type { Action, Alternative, LogLine, View } from "../types";
import { consequences, type Preview } from "./preview";
import { Frame } from "./Sheet";

/** How many alternatives stand as large buttons, each with what it would change. */
const LARGE = 4;

interface Found {
  likeliest: { alternative: Alternative; preview: Preview }[];
  rest: Alternative[];
}

export function Correction({ entry, view }: { entry: number; view: View }) {
  const line = view.log.find((one) => one.entry === entry);
  const found = useAlternatives(entry, view.version);
  const [chosen, choose] = useState<Alternative | null>(null);
  if (!line) return null;
  const dice = Array.isArray(line.action?.roll) ? (line.action.roll as number[]) : null;
  // Other throws are touched as dice.
  const rest = found?.rest.filter((one) => !(dice && "roll" in one.action)) ?? [];
  return (
    <Frame title="Not so" part="correction">
      <div class="statement">
        <p>{line.text}</p>
        {line.picture && <Picture picture={line.picture} alt="What the camera saw" />}
      </div>
      {chosen && <Chosen entry={entry} alternative={chosen} onBack={() => choose(null)} />}
      {!chosen && !found && <p class="quiet-text">Looking for what it may have been …</p>}
      {!chosen && found && (
        <>
          <div class="alternatives">
            {found.likeliest.map((one) => (
              <Likely key={one.alternative.label} entry={entry} {...one} />
            ))}
          </div>
          {dice && <OtherDice entry={entry} line={line} dice={dice} />}
          {rest.length > 0 && <Rest rest={rest} onChoose={choose} />}
          <Never entry={entry} line={line} />
        </>
      )}
    </Frame>
  );
}

/** All at once, with what the likeliest would change: nothing moves under a finger once it is shown. */
function useAlternatives(entry: number, version: number): Found | null {
  const [found, take] = useState<Found | null>(null);
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      const { alternatives } = await read<{ alternatives: Alternative[] }>(`alternatives?entry=${entry}`);
      const large = alternatives.filter((one) => one.probability !== 0).slice(0, LARGE);
      const previews = large.map(async (alternative) => ({ alternative, preview: await previewOf(entry, alternative.action, version) }));
      return { likeliest: await Promise.all(previews), rest: alternatives.filter((one) => !large.includes(one)) };
    };
    look()
      .catch(() => ({ likeliest: [], rest: [] }))
      .then((all) => wanted && take(all));
    return () => {
      wanted = false;
    };
  }, [entry, version]);
  return found;
}

/** What an alternative would change. */
async function previewOf(entry: number, action: Action, version: number): Promise<Preview> {
  try {
    return consequences((await send<{ result: unknown }>("amend", { version, entry, action, preview: true })).result);
  } catch (error) {
    return { lines: [(error as Error).message], impossible: true };
  }
}

function usePreview(entry: number, action: Action, version: number): Preview | null {
  const [preview, take] = useState<Preview | null>(null);
  useEffect(() => {
    let wanted = true;
    void previewOf(entry, action, version).then((one) => wanted && take(one));
    return () => {
      wanted = false;
    };
  }, [entry, JSON.stringify(action), version]);
  return preview;
}

async function apply(entry: number, action: Action): Promise<void> {
  if (await change("amend", { entry, action, preview: false })) open(null);
}

/** The button itself is the preview. */
function Likely({ entry, alternative, preview }: { entry: number; alternative: Alternative; preview: Preview }) {
  const { waiting, link } = useStore();
  const share = alternative.probability;
  return (
    <button
      type="button"
      class="alternative bar"
      style={share != null ? { "--share": share } : undefined}
      disabled={waiting || link !== "live" || preview.impossible}
      onClick={() => void apply(entry, alternative.action)}
    >
      <span class="alternative-label">{alternative.label}</span>
      {preview.lines.slice(0, 3).map((text) => <small>{text}</small>)}
    </button>
  );
}

function OtherDice({ entry, line, dice }: { entry: number; line: LogLine; dice: number[] }) {
  const say = (faces: number[]) => {
    if (line.is_read && line.status !== "no_longer_fits" && String(faces) === String(dice)) open(null);
    else void apply(entry, { roll: faces });
  };
  return (
    <div class="other">
      <h3>Any other throw</h3>
      <ThrowPicker hand={line.sides ?? dice.map(() => 6)} read={line.is_read ? dice : null} onDone={say} />
    </div>
  );
}

function Rest({ rest, onChoose }: { rest: Alternative[]; onChoose: (alternative: Alternative) => void }) {
  return (
    <div class="other">
      <h3>Something else</h3>
      <div class="rest">
        {rest.map((alternative) => (
          <button type="button" key={alternative.label} onClick={() => onChoose(alternative)}>
            {alternative.label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Chosen({ entry, alternative, onBack }: { entry: number; alternative: Alternative; onBack: () => void }) {
  const { waiting } = useStore();
  const version = get().view?.version ?? 0;
  const preview = usePreview(entry, alternative.action, version);
  return (
    <div class="chosen" data-part="preview">
      <h3>{alternative.label}</h3>
      {preview ? preview.lines.map((text) => <p>{text}</p>) : <p class="quiet-text">Working out what that changes …</p>}
      <div class="row">
        <button type="button" class="large" onClick={onBack}>
          Back
        </button>
        <button
          type="button"
          class="large likeliest"
          disabled={waiting || !preview || preview.impossible}
          onClick={() => void apply(entry, alternative.action)}
        >
          Yes, that is how it was
        </button>
      </div>
    </div>
  );
}

function Never({ entry, line }: { entry: number; line: LogLine }) {
  const { waiting, link } = useStore();
  if (line.status === "undone") return null;
  const drop = async () => {
    if (await change("drop", { entry })) open(null);
  };
  return (
    <button type="button" class="large never" disabled={waiting || link !== "live"} onClick={() => void drop()}>
      It never happened
    </button>
  );
}

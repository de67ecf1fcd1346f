// Four corners on a picture of the empty board: found, and moved with a magnifier under the finger.

import { useRef, useState } from "preact/hooks";
import { useLivePicture } from "../sheets/Sight";
import type { StepProps } from "./Setup";

type Point = [number, number];

const NAMES = ["GO", "Jail", "Free Parking", "Go To Jail"];
const ZOOM = 3;
const LOUPE_PX = 160;

export function CornersStep({ setup, tell }: StepProps) {
  const [count, again] = useState(0);
  const [fresh, renew] = useState(false);
  const [looking, look] = useState(false);
  const take = async () => {
    look(true);
    if (await tell("empty")) {
      renew(false);
      again(count + 1);
    }
    look(false);
  };
  if (!setup.empty || fresh) return <EmptyBoard looking={looking} onTake={() => void take()} />;
  return <Taps key={count} setup={setup} tell={tell} picture={`api/setup/empty.jpg?${count}`} onAgain={() => renew(true)} />;
}

function EmptyBoard({ looking, onTake }: { looking: boolean; onTake: () => void }) {
  const live = useLivePicture(500);
  return (
    <section class="step corners-step">
      <h2>Clear the board</h2>
      <p>No tokens, no houses, no hands: this picture is what everything is compared with.</p>
      <figure class="live-picture wide">
        <img class={live.failed ? "hidden" : undefined} src={live.src} alt="The camera now" onError={live.onError} onLoad={live.onLoad} />
      </figure>
      <button type="button" class="large likeliest" disabled={looking} onClick={onTake}>
        {looking ? "Looking for the board" : "Take this picture"}
      </button>
    </section>
  );
}

interface TapsProps extends Pick<StepProps, "setup" | "tell"> {
  picture: string;
  onAgain: () => void;
}

function Taps({ setup, tell, picture, onAgain }: TapsProps) {
  const [taps, put] = useState<Point[]>(setup.taps ?? []);
  const [under, look] = useState<{ at: Point; px: Point; moved: number | null } | null>(null);
  const image = useRef<HTMLImageElement>(null);
  const seen = (event: PointerEvent): { at: Point; px: Point } | null => {
    const shown = image.current?.getBoundingClientRect();
    if (!shown || !image.current?.naturalWidth) return null;
    const px: Point = [
      Math.min(shown.width, Math.max(0, event.clientX - shown.left)),
      Math.min(shown.height, Math.max(0, event.clientY - shown.top)),
    ];
    const scale = image.current.naturalWidth / shown.width;
    return { at: [px[0] * scale, px[1] * scale], px };
  };
  const press = (event: PointerEvent) => {
    const spot = seen(event);
    if (!spot) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    look({ ...spot, moved: nearest(taps, spot.at, image.current?.naturalWidth ?? 1) });
  };
  const release = () => {
    if (!under) return;
    const next = under.moved === null ? [...taps, under.at].slice(0, 4) : taps.map((old, at) => (at === under.moved ? under.at : old));
    put(next);
    look(null);
    if (next.length === 4) void tell("taps", { taps: next });
  };
  const corner = NAMES[taps.length];
  return (
    <section class="step corners-step">
      <h2>{corner ? `Touch the outer corner of ${corner}` : "Do the four corners sit right?"}</h2>
      <p>{corner ? "Slide the finger until the cross is on the very corner of the board, then let go." : "Each name belongs to its own corner. Touch a corner to move it."}</p>
      <div
        class="taps"
        data-part="taps"
        onPointerDown={press}
        onPointerMove={(event) => {
          const spot = under && seen(event);
          if (spot && under) look({ ...spot, moved: under.moved });
        }}
        onPointerUp={release}
        onPointerCancel={() => look(null)}
      >
        <img ref={image} src={picture} alt="The empty board" draggable={false} onLoad={() => put([...taps])} />
        <Outline taps={taps} image={image.current} />
        {under && image.current && <Loupe px={under.px} image={image.current} />}
      </div>
      <div class="row">
        <button type="button" onClick={onAgain}>
          Another picture
        </button>
        <button type="button" disabled={!taps.length} onClick={() => put([])}>
          Corners again
        </button>
      </div>
    </section>
  );
}

/** Which corner is meant to be moved: one within a fingertip, or the nearest when all four are there. */
function nearest(taps: Point[], at: Point, width: number): number | null {
  if (!taps.length) return null;
  const far = taps.map(([x, y]) => Math.hypot(x - at[0], y - at[1]));
  const best = far.indexOf(Math.min(...far));
  return taps.length === 4 || (far[best] ?? Infinity) < width * 0.03 ? best : null;
}

function Outline({ taps, image }: { taps: Point[]; image: HTMLImageElement | null }) {
  if (!image?.naturalWidth) return null;
  const { naturalWidth: w, naturalHeight: h } = image;
  const r = w / 110;
  return (
    <svg class="outline" viewBox={`0 0 ${w} ${h}`}>
      <path d={taps.length ? `M${taps.map((tap) => tap.join(" ")).join("L")}${taps.length === 4 ? "Z" : ""}` : ""} stroke-width={w / 320} />
      {taps.map(([x, y], at) => (
        <g transform={`translate(${x} ${y})`}>
          <circle r={r} stroke-width={w / 400} />
          <text x={r * 1.6} y={-r} font-size={w / 48}>
            {NAMES[at]}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Loupe({ px, image }: { px: Point; image: HTMLImageElement }) {
  const { width, height } = image.getBoundingClientRect();
  const above = px[1] > LOUPE_PX + 24;
  return (
    <div
      class="loupe"
      style={{
        left: `${Math.min(width - LOUPE_PX, Math.max(0, px[0] - LOUPE_PX / 2))}px`,
        top: `${above ? px[1] - LOUPE_PX - 24 : px[1] + 24}px`,
        backgroundImage: `url(${image.src})`,
        backgroundSize: `${width * ZOOM}px ${height * ZOOM}px`,
        backgroundPosition: `${LOUPE_PX / 2 - px[0] * ZOOM}px ${LOUPE_PX / 2 - px[1] * ZOOM}px`,
      }}
    />
  );
}

// A player's mark: colour, shape and initial.

import { type Face, outline } from "../palette";

export function MarkShape({ face, r, dim }: { face: Face; r: number; dim?: boolean }) {
  const low = face.shape === "triangle" || face.shape === "drop" ? r * 0.2 : 0;
  return (
    <g class="mark" opacity={dim ? 0.45 : 1}>
      <path class="mark-rim" d={outline(face.shape, r)} fill={face.fill} stroke-width={r * 0.16} stroke-linejoin="round" />
      <text
        y={low}
        fill={face.ink}
        font-size={(r * (face.shape === "star" || face.shape === "cross" ? 0.9 : 1.08)) / (1 + 0.28 * (face.initial.length - 1))}
        font-weight="700"
        text-anchor="middle"
        dominant-baseline="central"
      >
        {face.initial}
      </text>
    </g>
  );
}

/** The Cop: nobody's colour and shape, a dark badge with a star. */
export function CopShape({ r }: { r: number }) {
  return (
    <g class="mark cop-shape">
      <path class="mark-rim" d={`M0 ${-r * 1.05}L${r * 0.95} ${-r * 0.7}Q${r * 0.95} ${r * 0.6} 0 ${r * 1.1}Q${-r * 0.95} ${r * 0.6} ${-r * 0.95} ${-r * 0.7}Z`} stroke-width={r * 0.16} />
      <path class="star" d={outline("star", r * 0.66)} />
    </g>
  );
}

export function CopMark({ size = 40 }: { size?: number }) {
  return (
    <svg class="mark-icon" viewBox="-24 -24 48 48" style={{ width: `${size / 16}rem`, height: `${size / 16}rem` }} aria-hidden="true">
      <CopShape r={19} />
    </svg>
  );
}

export function Mark({ face, size = 40, dim }: { face: Face; size?: number; dim?: boolean }) {
  return (
    <svg class="mark-icon" viewBox="-24 -24 48 48" style={{ width: `${size / 16}rem`, height: `${size / 16}rem` }} aria-hidden="true">
      <MarkShape face={face} r={19} dim={dim} />
    </svg>
  );
}

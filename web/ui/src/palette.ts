// Players are colour and shape and initial, together.

import type { Player } from "./types";

/** Name → [fill, ink on it]: at least 7:1 within, and apart from each other for colour-blind eyes by lightness. */
export const COLORS: Record<string, [string, string]> = {
  red: ["#a8201a", "#ffffff"],
  blue: ["#174f9f", "#ffffff"],
  green: ["#1b6132", "#ffffff"],
  yellow: ["#f2b705", "#1b1712"],
  violet: ["#71379b", "#ffffff"],
  teal: ["#16b2bc", "#0b1414"],
  pink: ["#e58ab4", "#1b1712"],
  black: ["#3a3631", "#ffffff"],
};
export const COLOR_NAMES = Object.keys(COLORS);
export const SHAPES = ["circle", "square", "triangle", "diamond", "hexagon", "star", "drop", "cross"] as const;
export type Shape = (typeof SHAPES)[number];

export interface Face {
  name: string;
  fill: string;
  ink: string;
  shape: Shape;
  initial: string;
}

export function faceOf(players: Player[], name: string | null | undefined): Face {
  const index = Math.max(
    0,
    players.findIndex((player) => player.name === name),
  );
  const player = players[index];
  const named = COLORS[player?.color ?? ""];
  const own = COLORS[COLOR_NAMES[index % COLOR_NAMES.length] ?? "red"] ?? ["#444444", "#ffffff"];
  const [fill, ink] = named ?? (player?.color ? [player.color, readableOn(player.color)] : own);
  const shape = SHAPES.find((one) => one === player?.shape) ?? SHAPES[index % SHAPES.length] ?? "circle";
  return { name: name ?? "", fill, ink, shape, initial: player?.initial ?? (name ?? "?").charAt(0).toUpperCase() };
}

function readableOn(color: string): string {
  const hex = /^#?([0-9a-f]{6})$/i.exec(color)?.[1];
  if (!hex) return "#ffffff";
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.45 ? "#1b1712" : "#ffffff";
}

/** Outline of a shape around (0, 0) that a circle of radius `r` just holds. */
export function outline(shape: Shape, r: number): string {
  const ring = (count: number, turn: number, inner = 1): string => {
    const points: string[] = [];
    const steps = inner === 1 ? count : count * 2;
    for (let i = 0; i < steps; i++) {
      const radius = inner !== 1 && i % 2 ? r * inner : r;
      const angle = turn + (i * 2 * Math.PI) / steps;
      points.push(`${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`);
    }
    return `M${points.join("L")}Z`;
  };
  switch (shape) {
    case "circle":
      return `M0 ${-r}A${r} ${r} 0 1 1 0 ${r}A${r} ${r} 0 1 1 0 ${-r}Z`;
    case "square":
      return `M${-r * 0.86} ${-r * 0.86}H${r * 0.86}V${r * 0.86}H${-r * 0.86}Z`;
    case "triangle":
      return `M0 ${-r * 1.08}L${r * 1.08} ${r * 0.82}H${-r * 1.08}Z`;
    case "diamond":
      return ring(4, 0);
    case "hexagon":
      return ring(6, Math.PI / 6);
    case "star":
      return ring(5, 0, 0.56);
    case "drop":
      return `M0 ${-r * 1.1}C${r * 0.45} ${-r * 0.5} ${r * 0.9} ${-r * 0.1} ${r * 0.9} ${r * 0.25}A${r * 0.9} ${r * 0.82} 0 1 1 ${-r * 0.9} ${r * 0.25}C${-r * 0.9} ${-r * 0.1} ${-r * 0.45} ${-r * 0.5} 0 ${-r * 1.1}Z`;
    case "cross": {
      const a = r * 0.42;
      return `M${-a} ${-r}H${a}V${-a}H${r}V${a}H${a}V${r}H${-a}V${a}H${-r}V${-a}H${-a}Z`;
    }
  }
}

/** The colours of the deeds: only where they mean the group. */
export const GROUPS: Record<string, string> = {
  brown: "#8b5a3a",
  "light-blue": "#9fd3ec",
  pink: "#d2569a",
  orange: "#ef8f26",
  red: "#d6322a",
  yellow: "#f3d02a",
  green: "#2d9b54",
  "dark-blue": "#2a4fa5",
  railroad: "#4a463f",
  utility: "#a79f8f",
};
export const GROUP_ORDER = Object.keys(GROUPS);

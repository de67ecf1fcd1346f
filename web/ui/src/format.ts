// Sums and names as people write them.

import type { Board, Space } from "./types";

export function money(amount: number, board?: Board | null): string {
  const sign = amount < 0 ? "−" : "";
  return `${sign}${board?.currency ?? "$"}${Math.abs(amount).toLocaleString("en-US")}`;
}

export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `raise_cash` → `raise cash`: for words that the program left as they are in its journal. */
export const words = (code: string): string => code.replace(/[_-]+/g, " ");

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const BREAKS: Record<string, string> = {
  Mediterranean: "Mediter- ranean",
  Connecticut: "Connec- ticut",
  Pennsylvania: "Pennsyl- vania",
  Massachusetts: "Massa- chusetts",
  Community: "Comm. ",
  SCAVENGE: "SCAV- ENGE",
  PROTECTION: "PROTEC- TION",
};

/** A name in lines that fit a space of the board. */
export function nameLines(space: Space, longest: number): string[] {
  const short = space.name
    .replace(/ (Avenue|Gardens|Ave\.?)$/, "")
    .replace(/ Railroad$/, " R.R.")
    .replace(/[A-Za-z]{8,}/g, (word) => (longest < 12 || word.length >= 12 ? (BREAKS[word] ?? word) : word));
  const lines: string[] = [];
  for (const word of short.split(/\s+/).filter(Boolean)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= longest && !last.endsWith("-")) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

export function spaceName(board: Board | null, slug: string | null | undefined): string {
  if (!slug) return "off the board";
  return board?.spaces.find((space) => space.space === slug)?.name ?? sentence(words(slug));
}

/** The sum of money that a sentence is about, to be shown large. */
export function figure(text: string): string | null {
  return /[$£€₪]\s?\d[\d,]*/.exec(text)?.[0] ?? null;
}

/** What the edition calls a thing, with a plain plural. */
export function called(board: Board | null, thing: "house" | "hotel", count = 1): string {
  const word = board?.words?.[thing] ?? thing;
  return count === 1 ? word : `${word}s`;
}

// What set-up knows and collects.

export interface Option {
  name: string;
  default: unknown;
  values?: unknown[] | null;
  help?: string;
  title?: string;
  /** What a value means, in the players' words. */
  settings?: Record<string, string>;
  clause?: string | null;
  /** Any number of the values, as a list. */
  many?: boolean;
  /** Another option that must be on for this one to matter. */
  needs?: string;
  /** What a player chooses groups the players, and makes up this option of the game; other words may be typed. */
  gathers?: string;
}

export interface Variant {
  name: string;
  title: string;
  default_edition: string;
  players: [number, number];
  options: Option[];
  /** What each player chooses. */
  choices: Option[];
  /** Pieces of nobody that stand on spaces as tokens do. */
  figures: string[];
  /** Players are asked in others' turns. */
  has_reactions: boolean;
}

export interface Edition {
  title: string;
  tokens: string[];
}

export interface Catalog {
  variants: Variant[];
  editions: Record<string, Edition>;
}

export interface SavedGame {
  game: string;
  variant: string;
  players: string[];
  started?: string | null;
  turn?: number | null;
  over?: boolean;
}

export interface SetupState {
  cameras: { camera: string; label: string }[];
  camera: string | null;
  /** A second camera that looks into a dice tray; "none" without one. */
  tray: string;
  /** The empty board has been pictured. */
  empty: boolean;
  taps: [number, number][] | null;
  /** The time for reactions that the command line has set. */
  reaction_s: number | null;
  enrolled: string[];
  tokens?: string[];
}

export interface Seat {
  name: string;
  color: string;
  shape: string;
  token: string;
  extra: Record<string, unknown>;
}

export interface Choices {
  seats: Seat[];
  variant: string;
  edition: string | null;
  options: Record<string, unknown>;
  automation: string;
  /** After so many seconds a reaction that nobody answers is declined; null waits. */
  reaction_s: number | null;
}

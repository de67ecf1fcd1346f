// What the program sends. The page draws it and posts the actions found in it; it knows no rule.

export type Action = Record<string, unknown>;
export type Amount = number;

export interface Space {
  index: number;
  space: string;
  name: string;
  kind: string;
  group?: string | null;
  price?: number | null;
  rent?: number[] | null;
  times?: number[] | null;
  house?: number | null;
  mortgage?: number | null;
  amount?: number | null;
  deck?: string | null;
}

export interface Board {
  spaces: Space[];
  currency?: string;
  /** What the edition calls a house, a hotel and so on. */
  words?: Record<string, string>;
}

export interface Player {
  name: string;
  token?: string | null;
  color?: string | null;
  shape?: string | null;
  initial?: string;
}

export interface PlayerState {
  at: string | null;
  cash: number;
  status: string;
  in_jail: boolean;
  jail_turns?: number;
  laps?: number;
  cards?: string[];
  owes?: { to: string; amount: number; reason?: string }[];
  [more: string]: unknown;
}

export interface SpaceState {
  owner?: string | null;
  houses?: number;
  hotel?: boolean;
  mortgaged?: boolean;
  markers?: string[];
  [more: string]: unknown;
}

export interface Pending {
  kind: string;
  player: string;
  dice?: string;
  purpose?: string;
  space?: string;
  options?: unknown[];
  [more: string]: unknown;
}

export interface Snapshot {
  variant: string;
  edition: string;
  options: Record<string, unknown>;
  stage: string;
  turn: { player: string; number: number; doubles: number; phase: string };
  players: Record<string, PlayerState>;
  spaces: Record<string, SpaceState>;
  /** Null where the Bank never runs out. */
  bank: { houses: number | null; hotels: number | null };
  pot: number;
  pending: Pending[];
  winners: string[];
  /** The Cop's token, where the variant has one. */
  cop?: { at: string; out: boolean };
  [more: string]: unknown;
}

export interface Button {
  label: string;
  action: Action;
  enabled: boolean;
  reason?: string | null;
  likeliest?: boolean;
  note?: string;
  text?: string;
  /** The space that it is about, where the action does not name it. */
  space?: string;
}

export interface Decision {
  player: string | null;
  kind: string;
  text: string;
  fields?: Record<string, unknown>;
  buttons: Button[];
  choices?: Button[];
  /** What the faces of the die bring that is thrown for this. */
  table?: { faces: number[]; text: string }[];
  /** Seconds that were left for a reaction when the view was sent. */
  left_s?: number;
}

/** Something to know of a player at a glance. */
export interface Badge {
  kind: string;
  text: string;
  label: string;
}

export interface Question {
  id: string;
  about: string;
  text: string;
  picture?: string | null;
  options: { option: unknown; label: string; probability?: number | null }[];
  /** `wanted` of a question about a throw: its dice, as `2d6`. */
  facts?: Record<string, unknown>;
}

export interface LogLine {
  entry: number;
  turn?: number | null;
  player?: string | null;
  kind: string;
  text: string;
  by: string;
  confidence?: number | null;
  picture?: string | null;
  status: "done" | "undone" | "dropped" | "amended" | "no_longer_fits";
  why?: boolean;
  reason?: string | null;
  action?: Action | null;
  /** Of a throw how many sides each die has. */
  sides?: number[];
  /** False for a throw of which it is not known what each die showed, only what they came to. */
  is_read?: boolean;
}

export interface Now {
  entry: number | null;
  kind: string;
  headline: string;
  /** Of dice that were not read null for each: only what they came to is known. */
  dice?: (number | null)[] | null;
  /** How many sides each of the dice has. */
  sides?: number[] | null;
  /** What the dice came to. */
  sum?: number | null;
  lines?: string[];
  picture?: string | null;
  why?: boolean;
}

export interface Sight {
  state: string;
  word?: string;
  confidence?: number | null;
}

export interface View {
  version: number;
  /** Counts the views of one run of the program: of two that arrive out of order the later one holds. */
  serial: number;
  phase: "setup" | "play" | "over";
  game: { id: string; variant: string; title?: string; edition: string; options: Record<string, unknown>; started?: string; reaction_s?: number | null; has_reactions?: boolean } | null;
  snapshot?: Snapshot | null;
  players: Player[];
  now?: Now | null;
  log: LogLine[];
  questions: Question[];
  decisions: Decision[];
  manage: Record<string, Button[]>;
  sight?: { camera?: Sight | null; tower?: Sight | null; readings?: number; corrected?: number };
  repair: { id?: string; text: string; done: boolean }[];
  problems: { text: string; code: string }[];
  winners: string[];
  /** How a game with stages stands; absent or null in others. */
  stage?: Stage | null;
  /** Sentences on what may come next. */
  outlook?: string[];
  /** What is on record of each player, in sentences. */
  records?: Record<string, string[]>;
  /** Per player a character, where the variant has them. */
  seats?: Record<string, Seat>;
  badges?: Record<string, Badge[]>;
  can_undo?: boolean;
  can_redo?: boolean;
}

/** A player's character: what she is, what she can do now, what lies on her. */
export interface Seat {
  classes: string[];
  pact: string | null;
  form: string;
  level: number;
  ep: number;
  /** Experience to the next level; null at the highest. */
  to_go: number | null;
  hidden: boolean;
  /** Who shares cash and property with her; null where everybody plays alone. */
  team: { name: string; mates: string[]; cash: number } | null;
  abilities: Ability[];
  enchantments: { name: string; by: string; until: string }[];
  skills: Record<string, number>;
  skill_points: number;
  training: Way[];
}

export interface Way {
  label: string;
  /** What is chosen one after the other. */
  path: string[];
  action: Action;
}

export interface Ability {
  ability: string;
  name: string;
  kind: string;
  text: string;
  clause: string;
  when: string;
  range: string;
  cost: number;
  used: boolean;
  /** Why it cannot be used now; null where it can, or is not used by a tap. */
  reason: string | null;
  ways: Way[];
  /** Several values are gathered into one argument. */
  many: { argument: string; most: number; action: Action; options: { label: string; value: unknown; space: string }[] } | null;
  /** A standing answer to its question; null where it is never asked. */
  declined: boolean | null;
}

export interface Stage {
  name: string;
  title: string;
  text: string;
  roles: Record<string, { status: string; notes: string[] }>;
  /** Homeless players who have to move now, out of turn. */
  due: string[];
  groups: string[];
  /** The dice that a group shares: who threw each, and who has taken it. */
  pool: { face: number; roller: string; taker: string | null }[];
  wins: string[];
}

export interface Alternative {
  label: string;
  action: Action;
  probability?: number | null;
}

export interface Why {
  clause?: string | null;
  text?: string | null;
  sum?: string | null;
  inputs?: Record<string, unknown> | { label: string; value: unknown }[] | null;
}

// A player's character: level, experience, abilities as large buttons, and what lies on her.

import { useEffect, useState } from "preact/hooks";
import { money, sentence, words } from "../format";
import { act } from "../link";
import { set, useStore } from "../store";
import type { Ability, Seat, Way } from "../types";

export function SeatPart({ name, seat }: { name: string; seat: Seat }) {
  const [picked, pick] = useState<string | null>(null);
  const usable = seat.abilities.filter((one) => one.ways.length > 0 || one.many !== null);
  const others = seat.abilities.filter((one) => !usable.includes(one));
  const toggle = (one: Ability) => pick(picked === one.ability ? null : one.ability);
  return (
    <section class="character" data-part="seat">
      <p class="character-head">
        <b>
          {seat.classes.join(" and ")}, level {seat.level}
        </b>
        <span>{seat.to_go === null ? `${seat.ep} experience` : `${seat.ep} experience, ${seat.to_go} to level ${seat.level + 1}`}</span>
        {seat.pact && <span>{sentence(seat.pact)} pact</span>}
        {seat.form !== "humanoid" && <span>in the form of a {seat.form}</span>}
        {seat.hidden && <span>hidden</span>}
      </p>
      {seat.team && <Team team={seat.team} />}
      {seat.enchantments.length > 0 && (
        <ul class="enchantments">
          {seat.enchantments.map((one) => (
            <li key={`${one.name}-${one.by}`}>
              <b>{one.name}</b>
              {one.by !== name && ` by ${one.by}`}, {one.until}
            </li>
          ))}
        </ul>
      )}
      <Training seat={seat} />
      <div class="abilities">
        {[...usable, ...others].map((one) => (
          <AbilityRow key={one.ability} name={name} ability={one} open={picked === one.ability} onToggle={() => toggle(one)} />
        ))}
      </div>
    </section>
  );
}

function Team({ team }: { team: NonNullable<Seat["team"]> }) {
  const { board } = useStore();
  return (
    <p data-part="team">
      Team <b>{team.name}</b>
      {team.mates.length > 0 ? ` with ${team.mates.join(" and ")}: ${money(team.cash, board)} together.` : `, alone: ${money(team.cash, board)}.`}
    </p>
  );
}

function AbilityRow({ name, ability, open, onToggle }: { name: string; ability: Ability; open: boolean; onToggle: () => void }) {
  const [only, ...more] = ability.ways;
  const facts = [ability.kind === "automatic" ? "always" : ability.when, ability.range, ability.cost ? `$${ability.cost}` : ""].filter(Boolean);
  const { waiting, link } = useStore();
  const dead = waiting || link !== "live";
  // What is never tapped (a trait, a reaction) explains itself and is no button.
  const passive = !only && !ability.many && ability.reason === null;
  const reason = ability.used ? "Used; back from GO on." : ability.reason;
  const body = (
    <>
      <span class="ability-name">
        {ability.name}
        <small>{facts.join(", ")}</small>
      </span>
      <span class="ability-text">{ability.text}</span>
      {reason && <small class="ability-reason">{reason}</small>}
    </>
  );
  if (passive || reason) {
    return (
      <div class={reason ? "ability off" : "ability"} data-ability={ability.ability}>
        {body}
        {ability.declined !== null && <Standing name={name} ability={ability} dead={dead} />}
      </div>
    );
  }
  const direct = only && more.length === 0 && only.label === ability.name;
  return (
    <div class="ability on" data-ability={ability.ability}>
      <button
        type="button"
        class="large"
        aria-expanded={direct ? undefined : open}
        disabled={dead}
        onClick={() => (direct ? void act(only.action) : onToggle())}
      >
        {body}
      </button>
      {ability.declined !== null && <Standing name={name} ability={ability} dead={dead} />}
      {open && !direct && (ability.many ? <Gather many={ability.many} dead={dead} /> : <Ways ways={ability.ways} dead={dead} />)}
    </div>
  );
}

/** One choice after the other until only one way is left; what is still possible is lit on the board. */
function Ways({ ways, dead }: { ways: Way[]; dead: boolean }) {
  const [path, go] = useState<string[]>([]);
  const left = ways.filter((way) => path.every((step, at) => way.path[at] === step));
  useEffect(() => {
    set({ aims: left });
    return () => set({ aims: [] });
  }, [JSON.stringify(left)]);
  useEffect(() => {
    if (left.length === 0) go([]);
  }, [left.length]);
  const steps = [...new Set(left.map((way) => way.path[path.length]))].filter((step) => step !== undefined);
  return (
    <div class="ways">
      {path.length > 0 && (
        <button type="button" class="quiet" aria-label="Back" onClick={() => go(path.slice(0, -1))}>
          ‹ {path.join(", ")}
        </button>
      )}
      {steps.map((step) => {
        const [only, ...more] = left.filter((way) => way.path[path.length] === step);
        const label = more.length ? `${step} …` : only?.path.slice(path.length).join(", ");
        return (
          <button type="button" key={step} disabled={dead} onClick={() => (only && !more.length ? void act(only.action) : go([...path, step]))}>
            {label}
          </button>
        );
      })}
    </div>
  );
}

/** Several targets for one use, each on a square of its own. */
function Gather({ many, dead }: { many: NonNullable<Ability["many"]>; dead: boolean }) {
  const [taken, take] = useState<number[]>([]);
  const toggle = (at: number) => {
    const space = many.options[at]?.space;
    take(taken.includes(at) ? taken.filter((one) => one !== at) : [...taken.filter((one) => many.options[one]?.space !== space), at].slice(-many.most));
  };
  const values = taken.map((at) => many.options[at]?.value);
  return (
    <div class="ways">
      {many.options.map((one, at) => (
        <button type="button" key={one.label} aria-pressed={taken.includes(at)} class={taken.includes(at) ? "picked" : undefined} onClick={() => toggle(at)}>
          {one.label}
        </button>
      ))}
      <button type="button" class="likeliest" disabled={dead || taken.length === 0} onClick={() => void act({ ...many.action, [many.argument]: values })}>
        {taken.length === 0 ? `Choose up to ${many.most}` : `Now: ${taken.length}`}
      </button>
    </div>
  );
}

/** Whether the question is asked at all. */
function Standing({ name, ability, dead }: { name: string; ability: Ability; dead: boolean }) {
  const value = !ability.declined;
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={ability.declined === true}
      disabled={dead}
      onClick={() => void act({ use: "standing_decline", ability: ability.ability, value, by: name })}
    >
      {ability.declined ? "Never asked: ask again" : "Ask no more"}
    </button>
  );
}

function Training({ seat }: { seat: Seat }) {
  const { waiting, link } = useStore();
  const skills = Object.entries(seat.skills);
  if (!skills.length) return null;
  return (
    <div class="training">
      <p>
        {skills.map(([skill, ranks]) => `${sentence(words(skill))} ${ranks}`).join(", ")}
        {seat.skill_points > 0 && <b> · {seat.skill_points} points to distribute</b>}
      </p>
      {seat.training.length > 0 && (
        <div class="ways">
          {seat.training.map((way) => (
            <button type="button" key={way.label} disabled={waiting || link !== "live"} onClick={() => void act(way.action)}>
              {way.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

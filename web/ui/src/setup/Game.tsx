// Which game: variant, edition, and the options as the rules list them.

import { useState } from "preact/hooks";
import { sentence, words } from "../format";
import { ReactionTimes } from "../sheets/Reactions";
import type { StepProps } from "./Setup";
import type { Catalog, Choices, Option, Seat } from "./types";

const AUTOMATION: [string, string, string][] = [
  ["warn", "It warns", "Speaks up when something goes against the rules; the money is yours."],
  ["show", "It says what is owed", "You hand over the money."],
  ["bank", "It keeps the Bank", "There is no paper money on the table."],
];

export function GameStep({ choices, change, catalog, onRead }: StepProps & { onRead: () => void }) {
  const variant = catalog.variants.find((one) => one.name === choices.variant);
  const edition = choices.edition ?? variant?.default_edition;
  return (
    <section class="step game-step">
      <h2>Which game?</h2>
      <div class="tiles">
        {catalog.variants.map((one) => (
          <button
            type="button"
            class={one.name === choices.variant ? "tile picked" : "tile"}
            aria-pressed={one.name === choices.variant}
            data-variant={one.name}
            onClick={() => change({ variant: one.name, edition: null, options: {} })}
          >
            {one.title}
          </button>
        ))}
      </div>
      <button type="button" class="large" onClick={onRead}>
        Read the rules of {variant?.title ?? "this game"}
      </button>
      <h3>Edition of the board</h3>
      <div class="tiles">
        {Object.entries(catalog.editions).map(([name, one]) => (
          <button
            type="button"
            class={name === edition ? "tile picked" : "tile"}
            aria-pressed={name === edition}
            onClick={() => change({ edition: name })}
          >
            {one.title}
          </button>
        ))}
      </div>
      {variant?.name !== "watch" && (
        <>
          <h3>How much does Boardside do?</h3>
          <div class="tiles">
            {AUTOMATION.map(([name, title, help]) => (
              <button
                type="button"
                class={name === choices.automation ? "tile picked" : "tile"}
                aria-pressed={name === choices.automation}
                onClick={() => change({ automation: name })}
              >
                {title}
                <small>{help}</small>
              </button>
            ))}
          </div>
        </>
      )}
      {variant?.has_reactions && (
        <>
          <h3>How long are players asked for a reaction?</h3>
          <ReactionTimes value={choices.reaction_s} onChange={(reaction_s) => change({ reaction_s })} />
        </>
      )}
      {(variant?.choices ?? []).filter((one) => isAsked(one, choices.options)).map((option) => (
        <div key={option.name}>
          <h3>{sentence(words(option.name))}</h3>
          {option.help && <p class="quiet-text">{option.help}</p>}
          <div class="options">
            {choices.seats.map((seat, at) => {
              const name = seat.name || `Player ${at + 1}`;
              const choose = (value: unknown) =>
                change({ seats: choices.seats.map((one, place) => (place === at ? { ...one, extra: { ...one.extra, [option.name]: value } } : one)) });
              return option.gathers ? (
                <GroupRow key={at} name={name} option={option} seats={choices.seats} value={valueFor(seat, at, option)} onChange={choose} />
              ) : (
                <OptionRow key={at} option={{ ...option, name, help: undefined }} value={valueFor(seat, at, option)} onChange={choose} />
              );
            })}
          </div>
        </div>
      ))}
      {(variant?.options?.length ?? 0) > 0 && (
        <>
          <h3>House rules</h3>
          <div class="options">
            {variant?.options?.map((option) => (
              <OptionRow
                key={option.name}
                option={option}
                value={option.name in choices.options ? choices.options[option.name] : option.default}
                onChange={(value) => change({ options: { ...choices.options, [option.name]: value } })}
              />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

const isAsked = (option: Option, options: Record<string, unknown>) => !option.needs || options[option.needs] === true;

/** What a player has chosen, or else one that differs from the neighbour's; nobody is in a group unasked. */
function valueFor(seat: Seat, at: number, option: Option): unknown {
  if (option.gathers) return seat.extra[option.name] ?? null;
  const values = option.values ?? [];
  return seat.extra[option.name] ?? values[(at + values.indexOf(option.default)) % values.length] ?? option.default;
}

/** What the program is told of the game: of each player what the variant asks, and the groups among the options. */
export function told({ seats, variant, edition, options, automation, reaction_s }: Choices, catalog: Catalog) {
  const asked = catalog.variants.find((one) => one.name === variant)?.choices.filter((one) => isAsked(one, options)) ?? [];
  const own = asked.filter((one) => !one.gathers);
  const players = seats.map((seat, at) => ({
    ...seat,
    name: seat.name.trim(),
    extra: Object.fromEntries(own.map((one) => [one.name, valueFor(seat, at, one)])),
  }));
  const groups = asked.filter((one) => one.gathers).flatMap((one) => Object.entries(grouped(seats, one)));
  return { players, variant, edition, options: { ...options, ...Object.fromEntries(groups) }, automation, reaction_s };
}

/** Group -> names, as the option of the game; without it where nobody is in a group. */
export function grouped(seats: Seat[], option: Option): Record<string, Record<string, string[]>> {
  const groups: Record<string, string[]> = {};
  for (const seat of seats) {
    const group = seat.extra[option.name];
    if (typeof group === "string" && option.gathers) groups[group] = [...(groups[group] ?? []), seat.name.trim()];
  }
  return option.gathers && Object.keys(groups).length ? { [option.gathers]: groups } : {};
}

/** Which group a player is in: none, one that is suggested or that somebody has typed, or another. */
function GroupRow({ name, option, seats, value, onChange }: { name: string; option: Option; seats: Seat[]; value: unknown; onChange: (value: unknown) => void }) {
  const [typed, type] = useState("");
  const taken = seats.map((seat) => seat.extra[option.name]).filter((one) => typeof one === "string");
  const values = [null, ...new Set([...(option.values ?? []), ...taken])];
  return (
    <div class="option" data-option={name} data-choice={option.name}>
      <p>
        <b>{name}</b>
      </p>
      <div class="values">
        {values.map((one) => (
          <button type="button" class={one === value ? "picked" : undefined} aria-pressed={one === value} onClick={() => onChange(one)}>
            {one === null ? `No ${words(option.name)}` : String(one)}
          </button>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) onChange(typed.trim());
            type("");
          }}
        >
          <input
            type="text"
            maxLength={16}
            aria-label={`Another ${words(option.name)} for ${name}`}
            placeholder={`Another ${words(option.name)}`}
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            onBlur={() => {
              if (typed.trim()) onChange(typed.trim());
              type("");
            }}
          />
        </form>
      </div>
    </div>
  );
}

function OptionRow({ option, value, onChange }: { option: Option; value: unknown; onChange: (value: unknown) => void }) {
  const values = option.values?.length ? option.values : typeof option.default === "boolean" ? [true, false] : null;
  const picked = Array.isArray(value) ? value : [];
  const isPicked = (one: unknown) => (option.many ? picked.includes(one) : one === value);
  const pick = (one: unknown) =>
    !option.many ? one : picked.includes(one) ? picked.filter((other) => other !== one) : [...picked, one];
  return (
    <div class="option" data-option={option.name}>
      <p>
        <b>{option.title ?? sentence(words(option.name))}</b>
        {option.help && <small>{option.help}</small>}
      </p>
      {values ? (
        <div class="values">
          {values.map((one) => (
            <button
              type="button"
              class={isPicked(one) ? "picked" : undefined}
              aria-pressed={isPicked(one)}
              onClick={() => onChange(pick(one))}
            >
              {option.settings?.[String(one)]?.replace(/\.$/, "") ?? (one === true ? "Yes" : one === false ? "No" : sentence(words(String(one))))}
            </button>
          ))}
        </div>
      ) : (
        <input
          type={typeof option.default === "number" ? "number" : "text"}
          aria-label={words(option.name)}
          value={value == null ? "" : String(value)}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange(text === "" ? option.default : typeof option.default === "number" ? Number(text) : text);
          }}
        />
      )}
    </div>
  );
}

/** Words that could be mistaken for part of the board. */
const RESERVED = new Set(
  wordsOf(`
    admin administrator all anonymous api auth badge board challenges developers everyone help
    keeper leaderboard login logout methodology metrics moderator new null oauth opbench
    operator operators owner privacy private root science settings staff submissions support
    system undefined
  `),
);

const ANONYMOUS_PREFIX = 'anonymous-';

/** Whether a codename is reserved, or looks like an anonymous operator's alias. */
export function isReserved(codename: string): boolean {
  return RESERVED.has(codename) || isAlias(codename);
}

/** Whether a name is the alias of an anonymous operator. */
export function isAlias(codename: string): boolean {
  return codename.startsWith(ANONYMOUS_PREFIX);
}

/** The length of the unique part of an alias: 50 bits. */
const ALIAS_LENGTH = 10;

/**
 * The name under which an operator is shown while anonymous.
 *
 * @param hash A keyed hash that identifies the operator, at least 13 hex digits.
 */
export function aliasOf(hash: string): string {
  const number = BigInt(`0x${hash.slice(0, 13)}`);
  const digits = number.toString(32).padStart(ALIAS_LENGTH, '0').slice(-ALIAS_LENGTH);
  return ANONYMOUS_PREFIX + digits;
}

/** Words for generated codenames: easy to say and neutral. */

const MANNERS = wordsOf(`
  amber ample azure balmy bold brave bright brisk calm candid clear clever copper coral cosmic
  crisp dapper deft eager early fair fleet fond frank gentle glad golden grand green hardy
  honest humble indigo ivory jade jolly keen kind lively lucid lunar mellow merry mild modest
  nimble noble olive patient placid plain polar prime quick quiet rapid ready rustic silver
  sober solar steady sunny tidy
`);

const BEINGS = wordsOf(`
  alder aspen badger beaver birch bison cedar comet condor crane curlew cypress delta dolphin
  dune falcon fern finch fjord gecko glacier grove harbor hazel heron hornet ibis island
  jackdaw juniper kestrel lagoon lantern larch lark linden lynx magpie maple marlin marten
  meadow mesa nutmeg orchid osprey otter pebble pelican pine plover prairie puffin quail
  quartz raven reef robin salmon sparrow spruce thistle walnut willow
`);

const NUMBERS = 1000;

/**
 * Two words and a number, such as `quiet-heron-417`: one of four million.
 *
 * @param below Returns a random integer from 0 to `limit - 1`.
 */
export function generatedCodename(below: (limit: number) => number): string {
  const one = (words: readonly string[]) => words[below(words.length)];
  return `${one(MANNERS)}-${one(BEINGS)}-${below(NUMBERS)}`;
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

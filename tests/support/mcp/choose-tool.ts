/**
 * A client that chooses a tool by its description, without a model: BM25 over the words of name, title, description and
 * argument names.
 *
 * @module
 */

/** The part of a listed tool that a client reads to choose it. */
export interface Choice {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { properties?: Record<string, unknown> };
}

/** The usual parameters of BM25: saturation of repeated words, and weight of a text's length. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Words without meaning for the choice. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from get had has have how i if in into is it its me ' +
    'my not of off on or our she should so some that the their them then there these they this those to was were ' +
    'what when where which while who why will with would you your'
  ).split(' '),
);

/** The name of the tool that fits a question best. The first of equal ones wins. */
export function chooseTool(tools: readonly Choice[], question: string): string {
  const texts = tools.map(wordsOfTool);
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const asked = new Set(wordsOf(question));
  const scores = texts.map((words) => {
    return [...asked].reduce((sum, word) => sum + scoreOf(word, words, texts, average), 0);
  });
  return tools[scores.indexOf(Math.max(...scores))]?.name ?? '';
}

function scoreOf(
  word: string,
  words: readonly string[],
  texts: readonly string[][],
  average: number,
): number {
  const having = texts.filter((text) => text.includes(word)).length;
  const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  const times = words.filter((one) => one === word).length;
  const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * words.length) / average;
  return (rarity * times * (SATURATION + 1)) / (times + SATURATION * length);
}

function wordsOfTool({ name, title = '', description = '', inputSchema }: Choice): string[] {
  const names = Object.keys(inputSchema.properties ?? {});
  return wordsOf([name, title, description, ...names].join(' '));
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(stemOf);
}

/** Removes the most common endings, so that "ranked" and "ranks" are "rank". */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ing|ed|es|s)$/, '');
  return stem.length > 2 ? stem.replace(/e$/, '') : word;
}

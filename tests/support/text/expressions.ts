/**
 * Expressions that texts shown to people may not contain, because readers have to translate them back.
 *
 * Each entry names the reason, or what to write in its place. Code in texts is exempt: names of fields, flags and
 * paths are stable.
 */

interface Expression {
  pattern: RegExp;
  /** The usual words. */
  say: string;
  /** Whether comments in the source may use it, because it is the name of a type or a field there. */
  isCodeTerm?: true;
}

export const EXPRESSIONS: readonly Expression[] = [
  // Terms that were coined here, where the field has a usual one.
  { pattern: /\bkeepers?\b/i, say: 'admin' },
  { pattern: /\bpillars?\b/i, say: 'token types', isCodeTerm: true },
  { pattern: /\bhall of signal\b/i, say: 'Records', isCodeTerm: true },
  // A bucket of S3 is the term of that service.
  { pattern: /(?<!S3 )\bbuckets?\b/i, say: 'daily count', isCodeTerm: true },
  { pattern: /\bpublications?\b/i, say: 'update', isCodeTerm: true },
  {
    pattern: /(?<!opbench-board )\brulesets?\b(?! preview| switch)/i,
    say: 'ranking rules, version N',
    isCodeTerm: true,
  },
  { pattern: /\btwins?\b/i, say: 'Markdown version' },
  { pattern: /\blower ends?\b/i, say: 'lower bound' },
  { pattern: /\bplaces (are|that are) possible\b|\bpossible places\b/i, say: 'rank range' },
  { pattern: /\bshut(s|ting)? (\w+ )?out\b/i, say: 'revoke access' },
  { pattern: /\blets? in\b/i, say: 'connected apps' },
  { pattern: /\b(way in|ways in(?! which\b)|ways? of signing in)\b/i, say: 'sign-in method' },
  { pattern: /\brefusals?\b/i, say: 'error', isCodeTerm: true },
  { pattern: /\bheld back\b|\bsubmissions? (is|are|was|were) held\b/i, say: 'on hold' },
  { pattern: /\bin force\b/i, say: 'current' },

  // Sentences whose subject or verb is missing, hidden or a machine that talks.
  {
    pattern: /(?:^|[.!?:] |\n)Who(?:ever)?\b[^.?!\n]*[.!]/,
    say: 'name the actor: "Operators who …"',
  },
  { pattern: /\bwhoever\b/i, say: 'name the actor' },
  { pattern: /\bwhom\b/i, say: 'name the person' },
  { pattern: /\b(is|are|was|were|be|been|being) told\b/i, say: 'shows, explains, receives' },
  { pattern: /\b(do|does|did) not tell\b/i, say: 'does not show' },
  { pattern: /\btells\b/i, say: 'shows, explains, lists' },
  {
    pattern: /\bstands? (in|on|beside|under|below|above|there|here|with)\b/i,
    say: 'is, appears',
  },
  {
    pattern:
      /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more than\b|later than\b|earlier than\b)/i,
    say: '"is not"',
  },
  { pattern: /\bwhat (was|is|were) (sent|kept|asked|taken)\b/i, say: 'a noun: submissions, data' },
  { pattern: /\ball that\b/i, say: 'everything that, or a noun' },
  { pattern: /\bhangs? on\b/i, say: 'depends on' },
  { pattern: /\bshall\b/i, say: 'must, will' },

  // Words translated one by one.
  { pattern: /\bfor want of\b/i, say: 'because there is no' },
  { pattern: /\banew\b/i, say: 'again' },
  { pattern: /\bfor ever\b/i, say: 'permanently' },
  { pattern: /\bbesides?\b/i, say: 'next to; also' },
  { pattern: /(?<!\bas )\bof now\b/i, say: 'current' },
  { pattern: /, as (after|in|of|from|by) an?\b/i, say: 'for example after' },
  { pattern: /\bfrom \d+ on\b/i, say: 'at least N' },
  { pattern: /\bat the begin\b/i, say: 'at the beginning' },

  // Typography and spelling.
  { pattern: /\d[ \u00a0]%/, say: '95%' },
  { pattern: /\be-mails?\b/i, say: 'email' },
  { pattern: /\benrols?\b|\benrolments?\b/i, say: 'enroll, enrollment' },
  {
    pattern: /\b(colours?|behaviours?|favour(s|ites?)?|neighbours?|neighbouring|centres?)\b/i,
    say: 'American spelling',
  },
  {
    pattern: /\b(licences?|cancelled|grey|catalogues?|labelled|modelled)\b/i,
    say: 'American spelling',
  },
  {
    pattern:
      /\b(recogni|organi|summari|normali|authori|synchroni|minimi|maximi|reali|capitali|initiali|seriali)s(e|es|ed|ing|ation)\b/i,
    say: 'American spelling',
  },
];

/** The expressions in a text, with some words around each. */
export function expressionsIn(text: string, isCode = false): string[] {
  return EXPRESSIONS.filter(({ isCodeTerm }) => !(isCode && isCodeTerm)).flatMap(
    ({ pattern, say }) => {
      const all = new RegExp(pattern.source, `${pattern.flags}g`);
      return [...text.matchAll(all)].map(({ index, 0: found }) => {
        const around = text.slice(Math.max(0, index - 40), index + found.length + 40);
        return `“${found.trim()}” (${say}): …${around.replaceAll(/\s+/g, ' ')}…`;
      });
    },
  );
}

/** Where things stand in a text that is known to be JSON. */

/** A member of an object, from the quote of its name to behind its value. */
export interface Member {
  name: string;
  from: number;
  valueFrom: number;
  to: number;
}

/** Where the next thing that is no white space stands, from an index on. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** The members of the object whose brace stands at an index. */
export function membersOf(text: string, brace: number): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, brace + 1);
  while (text[at] === '"') {
    const nameTo = stringEnd(text, at);
    const valueFrom = skipSpace(text, skipSpace(text, nameTo) + 1);
    const to = valueEnd(text, valueFrom);
    members.push({ name: JSON.parse(text.slice(at, nameTo)) as string, from: at, valueFrom, to });
    const comma = skipSpace(text, to);
    at = text[comma] === ',' ? skipSpace(text, comma + 1) : comma;
  }
  return members;
}

/** The member that counts: of equal names the last. */
export function memberNamed(members: readonly Member[], name: string): Member | undefined {
  return members.filter((member) => member.name === name).at(-1);
}

function stringEnd(text: string, quote: number): number {
  let at = quote + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Brackets in strings are passed over with them; a bare value ends before what follows it. */
function valueEnd(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return stringEnd(text, from);
  if (first !== '{' && first !== '[') {
    const length = text.slice(from).search(/[,\]}\s]/);
    return length < 0 ? text.length : from + length;
  }
  let depth = 0;
  let at = from;
  do {
    const character = text.charAt(at);
    if ('{['.includes(character)) depth += 1;
    if ('}]'.includes(character)) depth -= 1;
    at = character === '"' ? stringEnd(text, at) : at + 1;
  } while (depth > 0);
  return at;
}

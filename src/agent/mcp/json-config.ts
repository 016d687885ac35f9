import { type Config, type ConfigFormat, type EntryPlace, lineEndOf } from './config-format.ts';
import { type Member, memberNamed, membersOf, skipSpace } from './json-spans.ts';

const INDENT = '  ';

/** Configurations in JSON. */
export const jsonConfig: ConfigFormat = {
  parse(text) {
    const value = text.trim() === '' ? {} : parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Config;
    throw new Error('it is no object');
  },

  show: ({ holder, name }, entry) =>
    `${JSON.stringify({ [holder]: { [name]: entry } }, null, 2)}\n`,

  add(text, place, entry) {
    if (text.trim() === '') return text + jsonConfig.show(place, entry);
    const { holder, name } = place;
    const root = skipSpace(text, 0);
    const servers = memberNamed(membersOf(text, root), holder);
    return servers
      ? withFirst(text, servers.valueFrom, name, entry)
      : withFirst(text, root, holder, { [name]: entry });
  },

  update: (text, place, entry) => jsonConfig.replace(text, place, entry),

  replace(text, place, entry) {
    const { member } = find(text, place);
    const value = inLines(entry, styleOf(text), indentBefore(text, member.from));
    return jsonConfig.put(text, place, value);
  },

  take(text, place) {
    const { member } = find(text, place);
    return text.slice(member.valueFrom, member.to);
  },

  put(text, place, own) {
    const { member } = find(text, place);
    return text.slice(0, member.valueFrom) + own + text.slice(member.to);
  },

  remove(text, place) {
    const { member, members, brace } = find(text, place);
    return withoutMember(text, { brace, members, member });
  },
};

/** Says where it is wrong without quoting it, as the parser does: it may hold secrets. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [where] = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error)) ?? [];
    throw new Error(where ? `it is no JSON ${where}` : 'it is no JSON');
  }
}

function find(text: string, { holder, name }: EntryPlace) {
  const servers = memberNamed(membersOf(text, skipSpace(text, 0)), holder);
  const brace = servers?.valueFrom ?? 0;
  const members = membersOf(text, brace);
  const member = memberNamed(members, name);
  if (!member) throw new Error('there is no entry');
  return { brace, members, member };
}

/** The next member, or the end of the object, takes the place of the removed one. */
function withoutMember(
  text: string,
  { brace, members, member }: { brace: number; members: Member[]; member: Member },
): string {
  const at = members.indexOf(member);
  const next = members[at + 1];
  if (next) return text.slice(0, member.from) + text.slice(next.from);
  const previous = members[at - 1];
  if (previous) return text.slice(0, previous.to) + text.slice(member.to);
  return text.slice(0, brace + 1) + text.slice(skipSpace(text, member.to));
}

/** How a text is laid out; no indent if it is all in one line. */
interface Style {
  indent: string | null;
  lineEnd: string;
}

function styleOf(text: string): Style {
  const root = skipSpace(text, 0);
  const first = membersOf(text, root)[0];
  const lineEnd = lineEndOf(text);
  if (!first) return { indent: INDENT, lineEnd };
  if (!text.slice(root, first.from).includes('\n')) return { indent: null, lineEnd };
  return { indent: indentBefore(text, first.from) || INDENT, lineEnd };
}

/** The text with a new first member in the object whose brace stands at an index. */
function withFirst(text: string, brace: number, name: string, value: object): string {
  const style = styleOf(text);
  const next = skipSpace(text, brace + 1);
  const isEmpty = text[next] === '}';
  const outer = indentBefore(text, brace);
  const inner = outer + (style.indent ?? '');
  const start = style.indent === null ? '' : style.lineEnd + inner;
  const isOpen = text.slice(brace, next).includes('\n');
  const end = !isEmpty ? ',' : style.indent === null || isOpen ? '' : style.lineEnd + outer;
  const colon = style.indent === null ? ':' : ': ';
  const member = JSON.stringify(name) + colon + inLines(value, style, inner);
  return text.slice(0, brace + 1) + start + member + end + text.slice(brace + 1);
}

function inLines(value: object, { indent, lineEnd }: Style, outer: string): string {
  if (indent === null) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll('\n', lineEnd + outer);
}

/** The white space at the beginning of the line of an index. */
function indentBefore(text: string, at: number): string {
  const lineFrom = text.lastIndexOf('\n', at - 1) + 1;
  return text.slice(lineFrom, at).match(/^[ \t]*/)?.[0] ?? '';
}

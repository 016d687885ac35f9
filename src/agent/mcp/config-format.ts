/** How a client writes down its MCP servers. Texts are changed in place: what is not ours stays as it is. */

/** What starts a server, as clients write it down. */
export interface ServerEntry {
  command: string;
  args: string[];
  env?: Record<string, string>;
  [other: string]: unknown;
}

export type Config = Record<string, unknown>;

/** Where the entry stands: the member of the file that holds all servers, and its name there. */
export interface EntryPlace {
  holder: string;
  name: string;
}

/** A way of writing configurations. None of these checks what comes out; {@linkcode checkedEdit} does. */
export interface ConfigFormat {
  /** Throws if the text is not of this format. */
  parse(text: string): Config;
  /** The entry alone, as it would stand in a new file. */
  show(place: EntryPlace, entry: ServerEntry): string;
  /** The text with an entry that it does not have yet. */
  add(text: string, place: EntryPlace, entry: ServerEntry): string;
  /** The text with other values of an entry that it has. */
  update(text: string, place: EntryPlace, entry: ServerEntry): string;
  /** The text with nothing but these values in an entry that it has. */
  replace(text: string, place: EntryPlace, entry: ServerEntry): string;
  /** The exact text of an entry, and the text with such a one in the place of the entry. */
  take(text: string, place: EntryPlace): string;
  put(text: string, place: EntryPlace, own: string): string;
  /** The text without the entry. */
  remove(text: string, place: EntryPlace): string;
}

/** The line ends that a text has. */
export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

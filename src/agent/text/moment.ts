import { plain } from '#core/domain/text/terminal-text.ts';

/** A moment for people: "2026-11-22 01:11 UTC". What is no moment in UTC is told as it is. */
export function momentText(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text) ?? [];
  return day === undefined ? plain(text) : `${day} ${time} UTC`;
}

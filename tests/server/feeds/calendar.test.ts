import { expect, test } from 'vitest';
import { type CalendarEvent, calendarText } from '#server/feeds/calendar.ts';

const EVENT: CalendarEvent = {
  uid: 'challenge-march@b.example',
  created_at: '2026-02-20T08:30:00.000Z',
  first_day: '2026-03-01',
  last_day: '2026-03-31',
  title: 'March, or: less is more',
  text: 'First line\nsecond; with \\ and ,',
  url: 'https://b.example/challenges/march',
  isCancelled: false,
};

const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

test('calendarText() has whole days, and the end after the last day', () => {
  expect(linesOf(calendarText('Opbench', EVENT))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Opbench//Opbench//EN',
    'BEGIN:VEVENT',
    'UID:challenge-march@b.example',
    'DTSTAMP:20260220T083000Z',
    'DTSTART;VALUE=DATE:20260301',
    'DTEND;VALUE=DATE:20260401',
    'SUMMARY:March\\, or: less is more',
    'DESCRIPTION:First line\\nsecond\\; with \\\\ and \\,',
    'URL:https://b.example/challenges/march',
    'STATUS:CONFIRMED',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('calendarText() folds long lines without splitting a character', () => {
  const title = '😀'.repeat(60);
  const text = calendarText('Opbench', { ...EVENT, title, isCancelled: true });

  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(linesOf(text)).toContain(`SUMMARY:${title}`);
  expect(linesOf(text)).toContain('STATUS:CANCELLED');
});

/** Settings that an admin can choose in the browser. Those in the environment or `board.toml` take precedence. */

export const BOARD_SETTINGS = ['name', 'description', 'read', 'join'] as const;
export type BoardSettingName = (typeof BOARD_SETTINGS)[number];

/** Where the value of a setting comes from, the strongest first. */
export type SettingSource = 'environment' | 'board.toml' | 'browser' | 'default';

export interface BoardSetting {
  value: string;
  source: SettingSource;
}

interface Choice {
  label: string;
  /** The first option is the default. */
  options: readonly { value: string; label: string; hint: string }[];
}

/** The options for readers and new operators. Pages offer a choice only if there are several options. */
export const BOARD_CHOICES: Readonly<Record<'join' | 'read', Choice>> = {
  read: {
    label: 'Who can see the board',
    options: [{ value: 'public', label: 'Everyone', hint: 'All ranks and pages are public.' }],
  },
  join: {
    label: 'Who can join',
    options: [
      { value: 'open', label: 'Everyone', hint: 'Anyone who can sign in gets an account.' },
    ],
  },
};

/** Maximum lengths in code points, as in `board.toml`. */
export const BOARD_TEXT_LENGTHS = { name: 60, description: 300 } as const;

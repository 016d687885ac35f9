/**
 * Why no checkpoint is signed. `rewound`: the database has fewer entries than were published. `forked`: it has other
 * entries. `unreadable`: the file of the largest checkpoint is damaged, or the board may not read it.
 */
export type CheckpointFault = 'forked' | 'rewound' | 'unreadable';

/** What happened, and what the admin can do. */
export const CHECKPOINT_WORDS: Readonly<Record<CheckpointFault, { what: string; todo: string }>> = {
  forked: {
    what: 'the log differs from the checkpoint that this board published',
    todo: 'Stop the server and restore a backup with opbench-board restore, which continues the published log.',
  },
  rewound: {
    what: 'the log has fewer entries than the checkpoint that this board published',
    todo: 'Stop the server and restore a backup with opbench-board restore, which adds the missing entries.',
  },
  unreadable: {
    what: 'the file log-checkpoint in the data folder cannot be read',
    todo: 'Restore it from a copy of the folder, because it says what the board has already signed.',
  },
};

/** Both as sentences. */
export function checkpointProblem(fault: CheckpointFault): string {
  const { what, todo } = CHECKPOINT_WORDS[fault];
  return `No checkpoint is signed: ${what}. ${todo}`;
}

/** A witness answered that the log contradicts what it cosigned, or that it knows more entries. */
export const WITNESS_ALARM_WORDS =
  'A witness of the log states that the log contradicts what it cosigned before. Stop the server and restore the database that was in use until then';

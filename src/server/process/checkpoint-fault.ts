/**
 * Why no checkpoint is signed. `rewound`: the database has fewer entries than were published. `forked`: it has other
 * entries. `damaged`: the file of the largest checkpoint cannot be read.
 */
export type CheckpointFault = 'damaged' | 'forked' | 'rewound';

/** What happened, and what the admin can do. */
export const CHECKPOINT_WORDS: Readonly<Record<CheckpointFault, string>> = {
  damaged:
    'The file log-checkpoint in the data folder is damaged. Restore it from a copy of the folder. Without it, the board cannot know what it has already signed',
  forked:
    'The log differs from the checkpoint that this board published. Stop the server and restore the database that was in use until then',
  rewound:
    'The log has fewer entries than the checkpoint that this board published. Stop the server and restore a newer backup',
};

/** A witness answered that the log contradicts what it cosigned, or that it knows more entries. */
export const WITNESS_ALARM_WORDS =
  'A witness of the log states that the log contradicts what it cosigned before. Stop the server and restore the database that was in use until then';

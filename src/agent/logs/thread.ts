/** What the second thread of a scan runs: built into a text that is held in the command's file. */
import { serveTasks } from './second-thread.ts';

void serveTasks();

import { appendFileSync } from 'node:fs';
import { watchAnswers } from './watchAnswers.ts';

/** Loaded into a server that tests start: notes in a file what differs in its answers. */
const file = process.env['DRIFTLESS_ANSWER_MISFITS'];
if (file !== undefined) watchAnswers((misfit) => appendFileSync(file, `${misfit}\n`));

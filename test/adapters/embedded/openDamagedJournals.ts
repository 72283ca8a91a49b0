import { cpSync, rmSync, writeSync } from 'node:fs';
import { flipByte, journalFile, readObjects } from './journalFiles.ts';

// Runs as a separate process, which a damaged journal could crash. Its arguments are a data directory, a directory for copies of it, and JSON: the positions to
// damage and the bits to flip. For each position it prints a line: `same`, `different`, or the error's message.

const [directory = '', copy = '', damages = '[]'] = process.argv.slice(2);
const whole = await readObjects(directory);
for (const [position, mask] of JSON.parse(damages) as [number, number][]) {
  rmSync(copy, { recursive: true, force: true });
  cpSync(directory, copy, { recursive: true });
  flipByte(journalFile(copy), position, mask);
  writeSync(1, `${position} ${await outcome()}\n`);
}

async function outcome(): Promise<string> {
  try {
    return (await readObjects(copy)) === whole ? 'same' : 'different';
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- to run it is all that is wanted
import './requireNode.js';

const { main } = await import('../commandLine/main.ts');
await main(process.argv.slice(2));

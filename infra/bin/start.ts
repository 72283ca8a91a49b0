#!/usr/bin/env node
import { main } from '../local/main.ts';

await main(process.argv.slice(2));

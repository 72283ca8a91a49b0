// Slow: eighty worlds, each with its own faults, and most of them twice.
import { expectSeedsToHold } from './expectSeedsToHold.ts';

expectSeedsToHold(41, 120);

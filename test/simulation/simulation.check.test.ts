import { expectSeedsToHold } from './expectSeedsToHold.ts';

expectSeedsToHold(41, 120);

// Slow: each defect needs a world of its own.
import { takeThird } from '../support/takeThird.ts';
import { expectMutationsFound } from './expectMutationsFound.ts';
import { MUTATIONS } from './mutations.ts';

expectMutationsFound(takeThird(MUTATIONS, 'others'));

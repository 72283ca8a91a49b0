// Slow: each defect needs a world of its own, with hundreds of requests to model.
import { takeThird } from '../../support/takeThird.ts';
import { CLOUD_MUTATIONS } from './cloudMutations.ts';
import { expectCloudMutationsFound } from './expectCloudMutationsFound.ts';

expectCloudMutationsFound(takeThird(CLOUD_MUTATIONS, 'others'));

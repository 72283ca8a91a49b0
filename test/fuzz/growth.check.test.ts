// Slow: each body is measured at seven sizes, until the noise is gone.
import { takeThird } from '../support/takeThird.ts';
import { expectLinearBodies, expectLinearPlaces } from './growth/expectLinearBodies.ts';
import { hostileBodies } from './growth/hostileBodies.ts';

expectLinearBodies(takeThird(hostileBodies, 'others'));
expectLinearPlaces();

import { takeThird } from '../support/takeThird.ts';
import { expectLinearBodies, expectLinearPlaces } from './growth/expectLinearBodies.ts';
import { hostileBodies } from './growth/hostileBodies.ts';

expectLinearBodies(takeThird(hostileBodies, 'others'));
expectLinearPlaces();

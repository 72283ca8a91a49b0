import { takeThird } from '../support/takeThird.ts';
import { expectLinearBodies } from './growth/expectLinearBodies.ts';
import { hostileBodies } from './growth/hostileBodies.ts';

expectLinearBodies(takeThird(hostileBodies, 'every third'));

import { takeThird } from '../support/takeThird.ts';
import { expectFoundHoles } from './growth/expectFoundHoles.ts';
import { foundHoles } from './growth/foundHoles.ts';

expectFoundHoles(takeThird(foundHoles, 'every third'));

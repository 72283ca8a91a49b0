// Slow: each request is sent at seven sizes.
import { takeThird } from '../support/takeThird.ts';
import { expectDrawnRequests } from './growth/expectDrawnRequests.ts';
import { expectFoundHoles } from './growth/expectFoundHoles.ts';
import { foundHoles } from './growth/foundHoles.ts';

expectFoundHoles(takeThird(foundHoles, 'others'));
expectDrawnRequests(100);

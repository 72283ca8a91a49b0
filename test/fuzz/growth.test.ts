// Slow: each request is sent at seven sizes.
import { takeThird } from '../support/takeThird.ts';
import { expectDrawnRequests, expectEveryKeyword } from './growth/expectDrawnRequests.ts';
import { expectFoundHoles } from './growth/expectFoundHoles.ts';
import { foundHoles } from './growth/foundHoles.ts';

expectFoundHoles(takeThird(foundHoles, 'every third'));
expectEveryKeyword();
expectDrawnRequests(8);

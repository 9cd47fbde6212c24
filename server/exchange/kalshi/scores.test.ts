import { describe, expect, it } from 'vitest';
import { readScores } from './scores.ts';

const AT = 'Dallas at Boston';
const VERSUS = 'Leeds vs Everton';

function read(type: string, title: string, details: unknown) {
  const body = { live_datas: [{ type, milestone_id: 'm', details }] };
  return readScores(body, [{ id: 'm', title }])[0];
}

const line = (type: string, title: string, details: unknown) => {
  const score = read(type, title, details);
  if (!score) return undefined;
  const [first, second] = score.teams;
  const status = `${score.phase} ${score.statusText}`.trim();
  return `${first.name} ${first.points}-${second.points} ${second.name}, ${status}`;
};

/** Shapes as clients of the exchange read them. */
describe('a score', () => {
  const basketball = { status: 'inprogress', home_points: 91, away_points: '87' };
  const soccer = {
    status: 'live',
    home_same_game_score: 2,
    away_same_game_score: 1,
    home_score: 5,
  };
  it.each([
    [
      'basketball_game',
      AT,
      { ...basketball, widget_status: 'live', period: 3, period_remaining_time: '05:22' },
      'Dallas 87-91 Boston, live Q3 5:22',
    ],
    [
      'basketball_game',
      AT,
      { ...basketball, period: 2, period_type: 'half', home_name: 'Boston Terriers' },
      'Dallas 87-91 Boston Terriers, live H2',
    ],
    ['basketball_game', AT, { ...basketball, period: 6 }, 'Dallas 87-91 Boston, live OT'],
    [
      'football_game',
      AT,
      { widget_status: 'live', home_points: 7, away_points: 0, quarter: 1, clock: '12:04' },
      'Dallas 0-7 Boston, live Q1 12:04',
    ],
    [
      'football_game',
      AT,
      { status: 'halftime', home_points: 7, away_points: 10 },
      'Dallas 10-7 Boston, live Halftime',
    ],
    [
      'hockey_match',
      AT,
      { widget_status: 'live', home_points: 2, away_points: 2, period: 5 },
      'Dallas 2-2 Boston, live SO',
    ],
    [
      'baseball_game',
      AT,
      { status: 'inprogress', home_points: 3, away_points: 4, inning: 8, outs: 1 },
      'Dallas 4-3 Boston, live Inning 8',
    ],
    [
      'soccer_tournament_multi_leg',
      VERSUS,
      { ...soccer, half: '2nd', time: "90+3'" },
      'Leeds 2-1 Everton, live 90+3’',
    ],
    [
      'soccer_game',
      VERSUS,
      { ...soccer, half: 'HT', time: "45'" },
      'Leeds 2-1 Everton, live Halftime',
    ],
    [
      'soccer_game',
      VERSUS,
      { ...soccer, status: 'closed', match_status: 'ended', status_text: 'Full-Time' },
      'Leeds 2-1 Everton, ended Final',
    ],
    [
      'tennis_tournament_singles',
      'Alcaraz vs Sinner',
      {
        status: 'live',
        competitor1_overall_score: 1,
        competitor2_overall_score: 0,
        completed_rounds: 1,
      },
      'Alcaraz 1-0 Sinner, live Set 2',
    ],
    [
      'lacrosse_game',
      AT,
      { status: 'live', home_points: 1, away_points: 0, home_is_first: true, tileLiveText: '2nd' },
      'Dallas 1-0 Boston, live 2nd',
    ],
    ['unknown', AT, { status: 'live', home_points: 1, away_points: 0 }, 'Dallas 0-1 Boston, live'],
  ])('of a %s, "%s", is read', (type, title, details, expected) => {
    expect(line(type, title, details)).toBe(expected);
  });

  const good = { status: 'live', home_points: 1, away_points: 0 };
  it.each([
    ['the game has not begun', AT, { ...good, status: 'scheduled', widget_status: 'none' }],
    ['the game is postponed', AT, { ...good, postponed: true }],
    ['the state is unknown', AT, { ...good, status: 'sleeping' }],
    ['points are missing', AT, { status: 'live', home_points: 1 }],
    ['points are no count', AT, { ...good, away_points: -1 }],
    ['points are a sentence', AT, { ...good, away_points: 'ten' }],
    ['no team is named', 'The big game', good],
    ['there are three names', 'A vs B vs C', good],
    ['details are no object', AT, 'soon'],
    ['details are missing', AT, undefined],
  ])('is absent when %s', (_, title, details) => {
    expect(read('football_game', title, details)).toBeUndefined();
  });

  it('given long and hostile texts, is short and plain', () => {
    const score = read('football_game', AT, {
      ...good,
      home_name: `Bos\u202eton\n${'x'.repeat(500)}`,
      tileLiveText: '<b>'.repeat(100),
    });
    expect(score?.teams[1].name).toMatch(/^Bostonx{40,}…$/);
    expect(score?.teams[1].name.length).toBeLessThanOrEqual(48);
    expect(score?.statusText.length).toBeLessThanOrEqual(16);
  });

  it('given milestones that were not requested or bodies of another shape, is absent', () => {
    const foreign = { live_datas: [{ milestone_id: 'other', details: good }, null, 7] };
    expect(readScores(foreign, [{ id: 'm', title: AT }])).toEqual([]);
    expect(readScores({ live_datas: 'none' }, [{ id: 'm', title: AT }])).toEqual([]);
  });
});

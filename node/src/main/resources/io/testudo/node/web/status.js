
'use strict';
(() => {
  const EVERY_MILLIS = 2000;
  const SLOWEST_MILLIS = 30000;
  const GIVE_UP_MILLIS = 12000;
  const HISTORY = 60;
  const SVG = 'http://www.w3.org/2000/svg';
  const at = id => document.getElementById(id);

  // What others chose, as it may be shown: what steers a terminal or turns the direction of reading is written out.
  const plain = text => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu,
    found => Array.from({length: found.length}, (_, i) => '\\u' + found.charCodeAt(i).toString(16).padStart(4, '0')).join(''));

  // Elements, made of text and never of markup.
  const make = (element, attributes, children) => {
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) {
        element.append(child instanceof Node ? child : document.createTextNode(String(child)));
      }
    }
    return element;
  };
  const h = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) => make(document.createElementNS(SVG, tag), attributes, children);
  const name = text => h('bdi', {class: 'name'}, plain(text));

  // Changes what is shown to what is to be shown, and leaves alone what stays: focus and selections survive.
  const patch = (shown, wanted) => {
    if (shown.nodeType !== wanted.nodeType || shown.nodeName !== wanted.nodeName) {
      shown.replaceWith(wanted);
      return;
    }
    if (shown.nodeType === Node.TEXT_NODE) {
      if (shown.data !== wanted.data) shown.data = wanted.data;
      return;
    }
    for (const {name: key} of [...shown.attributes]) if (!wanted.hasAttribute(key)) shown.removeAttribute(key);
    for (const {name: key, value} of [...wanted.attributes]) if (shown.getAttribute(key) !== value) shown.setAttribute(key, value);
    patchChildren(shown, [...wanted.childNodes]);
  };
  const patchChildren = (shown, wanted) => {
    const old = [...shown.childNodes];
    wanted.forEach((child, i) => i < old.length ? patch(old[i], child) : shown.append(child));
    old.slice(wanted.length).forEach(child => child.remove());
  };
  const show = (id, ...children) => patchChildren(at(id), children.flat(Infinity).filter(Boolean));

  const number = (value, digits = 0) => Number(value).toLocaleString('en', {maximumFractionDigits: digits});
  const bytes = value => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
    return number(value, value < 10 && unit ? 1 : 0) + ' ' + units[unit];
  };
  const span = millis => {
    const seconds = Math.floor(millis / 1000);
    if (seconds < 120) return seconds + ' s';
    if (seconds < 7200) return Math.floor(seconds / 60) + ' min';
    if (seconds < 172800) return Math.floor(seconds / 3600) + ' h';
    return Math.floor(seconds / 86400) + ' days';
  };
  const rate = value => value === null ? '–' : number(value, value < 10 ? 1 : 0) + '/s';
  const plural = (count, one, many) => number(count) + ' ' + (count === 1 ? one : many);

  // Counters of the last looks, from which rates come.
  const courses = new Map();
  let seen = new Set();
  const course = (key, count, millis) => {
    seen.add(key);
    let known = courses.get(key);
    if (!known || known.count > count || known.millis > millis) {
      known = {count, millis, rates: []};
      courses.set(key, known);
    } else if (millis > known.millis) {
      known.rates.push((count - known.count) * 1000 / (millis - known.millis));
      if (known.rates.length > HISTORY) known.rates.shift();
      known.count = count;
      known.millis = millis;
    }
    return known.rates;
  };
  const last = rates => rates.length ? rates[rates.length - 1] : null;
  const forgetOthers = () => {
    for (const key of courses.keys()) if (!seen.has(key)) courses.delete(key);
    seen = new Set();
  };

  const spark = (rates, kind = 'spark') => {
    const top = Math.max(1, ...rates);
    const points = rates.map((value, i) => (100 * i / Math.max(1, rates.length - 1)).toFixed(1) + ',' + (22 - 20 * value / top).toFixed(1));
    return s('svg', {class: kind, viewBox: '0 0 100 24', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      s('rect', {class: 'track', x: 0, y: 23, width: 100, height: 1}),
      points.length > 1 && s('polyline', {points: points.join(' ')}));
  };
  const bar = (part, state = '') => s('svg', {class: 'bar', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    s('rect', {class: 'track', width: 100, height: 6, rx: 3}),
    s('rect', {class: 'fill ' + state, width: Math.max(0, Math.min(100, 100 * part)).toFixed(1), height: 6, rx: 3}));
  const shield = used => s('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'},
    s('path', {class: 'shield' + (used ? ' used' : ''), d: 'M8 1 14 3v5c0 4-3 6-6 7-3-1-6-3-6-7V3z'}));

  const badge = (text, state = '') => h('span', {class: 'badge ' + state}, text);
  const banner = (state, title, text) => h('div', {class: 'banner ' + state}, h('strong', {}, title), text);
  const tile = (title, big, note, picture) => h('div', {class: 'tile'},
    h('dt', {}, title), h('dd', {}, h('div', {class: 'big'}, big), h('div', {class: 'note'}, note), picture));
  const section = (id, title, note, ...inside) => h('section', {'aria-labelledby': id},
    h('h2', {id}, title), note && h('p', {}, note), inside);
  const fact = (title, value) => value !== undefined && value !== null && h('div', {}, h('dt', {}, title), h('dd', {}, value));
  const facts = (...all) => h('dl', {class: 'facts'}, all);
  // Columns: [title, cell of a row, class]. The first one names the row. Roles are said since narrow windows show it as cards.
  const table = (title, columns, rows) => h('div', {class: 'scroll', role: 'region', tabindex: 0, 'aria-label': title},
    h('table', {class: 'cards', role: 'table'},
      h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, columns.map(([head, , kind]) => h('th', {scope: 'col', role: 'columnheader', class: kind}, head)))),
      h('tbody', {role: 'rowgroup'}, rows.map(row => h('tr', {role: 'row'}, columns.map(([head, cell, kind], i) => {
        const inside = cell(row);
        const none = inside === null || inside === undefined || inside === '';
        return i === 0 ? h('th', {scope: 'row', role: 'rowheader', class: kind}, inside)
          : h('td', {role: 'cell', class: [kind, none && 'none'].filter(Boolean).join(' ') || null, 'data-label': head || null}, h('div', {}, inside));
      }))))));
  const counts = (title, head, map, prefix, millis) => {
    const rows = Object.entries(map).sort((a, b) => b[1] - a[1]);
    return rows.length === 0 ? h('p', {}, 'None.') : table(title, [
      [head, ([key]) => name(key)],
      ['in all', ([, count]) => number(count), 'n'],
      ['now', ([key, count]) => rate(last(course(prefix + key, count, millis))), 'n']], rows);
  };

  const user = one => h('span', {}, name(one.principal), h('span', {class: 'soft mono'}, ' ' + plain(one.session).slice(0, 6)));
  const faultState = fault => fault === 'forgetful' || fault === 'contradicts' ? 'bad' : 'warn';

  const VERDICTS = {
    well: ['good', 'All is well'],
    worn: ['warn', 'Works, with less in reserve'],
    waits: ['bad', 'Too many servers are away'],
    broken: ['bad', 'Promises may be broken']};

  const cluster = it => {
    const sum = it.summary;
    at('name').textContent = plain(sum.cluster);
    at('about').textContent = `Cluster of ${sum.servers} servers, of which ${sum.byzantine} may lie; as ${plain(it.principal)} sees it`;
    const [state, title] = VERDICTS[it.verdict] || ['warn', 'Unknown'];
    show('verdict', banner(state, title, plain(it.words)));
    const left = Math.max(0, sum.faultsLeft);
    const held = it.locks.filter(lock => lock.row.holder).length;
    const waiting = it.locks.reduce((all, lock) => all + lock.row.waiters.length, 0);
    const rates = it.objects.map(object => course('object ' + object.object, object.version, it.elapsedMillis));
    const total = course('objects', it.objects.reduce((all, object) => all + object.version, 0), it.elapsedMillis);
    show('content',
      h('dl', {class: 'tiles'},
        tile('Servers that answer', `${it.answering} of ${sum.servers}`, `a quorum is ${sum.quorum}`,
          h('div', {class: 'shields'}, it.servers.map(server => shield(server.row.faults.length > 0)))),
        tile('Left of b', `${left} of ${sum.byzantine}`,
          sum.faultsLeft < 0 ? plural(-sum.faultsLeft, 'failure', 'failures') + ' too many' : left === 0 ? 'the next failure is one too many' : 'so many more may fail',
          sum.byzantine > 0 && bar(left / sum.byzantine, left ? '' : 'bad')),
        tile('Locks held', number(held) + (it.moreLocks ? '+' : ''), plural(waiting, 'waiter', 'waiters')),
        tile('Objects', number(it.objects.length) + (it.moreObjects ? '+' : ''), `${rate(last(total))} operations`, spark(total))),
      section('servers', 'Servers', it.administers ? null : 'Versions, clocks and reports are told to principals with the right to administer.',
        table('Servers', [
          ['server', row => row.row.server],
          ['state', row => row.words.length ? row.words.map((words, i) => badge(plain(words), faultState(row.row.faults[i]))) : badge('fine', 'good'), 'wide'],
          ['address', row => name(row.row.address)],
          ['answers in', row => row.row.roundTripMicros !== undefined ? number(row.row.roundTripMicros / 1000, 1) + ' ms' : '', 'n'],
          ['up for', row => row.row.uptimeMillis !== undefined ? span(row.row.uptimeMillis) : '', 'n'],
          ['clock', row => clock(row.row.clockOffsetMillis, it.maxSkewMillis), 'n'],
          ['incarnation', row => row.row.incarnation !== undefined ? number(row.row.incarnation) : '', 'n'],
          ['version', row => row.row.version !== undefined ? name(row.row.version) : '']], it.servers)),
      suspicions(it),
      section('locks', 'Locks in use', it.moreLocks ? 'The first by name, there are more: testudo locks lists them all.' : null,
        !it.namesComplete && h('p', {}, 'Fewer than a quorum told of names: the lists may lack some.'),
        it.locks.length === 0 ? h('p', {}, 'None.') : table('Locks in use', [
          ['lock', ({row}) => name(row.lock)],
          ['held by', ({row}) => row.holder ? user(row.holder) : h('span', {class: 'soft'}, 'changes hands')],
          ['lease left', ({row}) => row.holder ? number(row.remainingMillis / 1000, 1) + ' s' : '', 'n'],
          ['waiting', ({row}) => row.waiters.length ? [badge(number(row.waiters.length)), row.waiters.slice(0, 4).map((one, i) => [i ? ', ' : '', user(one)]),
            row.waiters.length > 4 ? ' …' : ''] : '', 'wide'],
          ['fence', ({fence}) => fence && h('span', {class: 'mono'}, fence)],
          ['protocol', ({row}) => row.backend]], it.locks)),
      section('objects', 'Objects', it.moreObjects ? 'The first by name, there are more: testudo object ls lists them all.' : null,
        it.objects.length === 0 ? h('p', {}, 'None.') : table('Objects', [
          ['object', ([row]) => name(row.object)],
          ['version', ([row]) => number(row.version), 'n'],
          ['operations', ([, own]) => [h('span', {class: 'rate'}, rate(last(own))), spark(own)]],
          ['newest at', ([row]) => plural(row.servers, 'server', 'servers'), 'n']], it.objects.map((object, i) => [object, rates[i]]))));
    show('foot', h('p', {}, `Only what b+1 servers say of names and reports is shown: one of them is correct. Looked at ${plain(it.time)}. `,
      h('a', {href: 'status'}, 'JSON'), ' · ', h('a', {href: 'metrics'}, 'metrics')));
  };
  const clock = (offset, most) => offset === undefined ? ''
    : Math.abs(offset) > most / 2 ? badge((offset > 0 ? '+' : '') + number(offset) + ' ms', 'bad') : (offset > 0 ? '+' : '') + number(offset) + ' ms';
  const suspicions = it => {
    const grave = it.reports.filter(report => report.row.kind === 'contradiction');
    const light = it.reports.filter(report => report.row.kind !== 'contradiction');
    return section('suspicions', 'Suspicions',
      grave.length ? 'What no correct server says, as principals report it. Enough of them, or you, are believed; others may be framing it.' : null,
      grave.length === 0 ? h('p', {}, it.administers ? 'Nothing speaks against any server.' : 'Not told to this principal.') : table('Suspicions', [
        ['server', row => row.row.suspect],
        ['', row => row.believed ? badge('counts as lying', 'bad') : badge('only said', 'warn')],
        ['reported by', row => name(row.row.reporter)],
        ['times', row => number(row.row.count), 'n'],
        ['last', row => h('time', {datetime: plain(row.row.lastTime)}, plain(row.row.lastTime).replace('T', ' ').replace('Z', ''))],
        ['evidence', row => name(row.row.detail), 'wide']], grave),
      light.length > 0 && h('p', {}, 'Outvoted, as correct servers are when requests cross: ' +
        Object.entries(light.reduce((all, report) => ({...all, [report.row.suspect]: (all[report.row.suspect] || 0) + report.row.count}), {}))
          .map(([server, count]) => `${plain(server)} ${plural(count, 'time', 'times')}`).join(', ') + '.'));
  };

  const alone = 'Servers never talk to each other, so this page knows only this one. ';
  const server = it => {
    at('name').textContent = `${plain(it.server)} of ${plain(it.cluster)}`;
    at('about').textContent = `One of ${it.servers} servers, of which ${it.byzantine} may lie; up for ${span(it.uptimeMillis)}`;
    const why = it.brokenMachines.length ? `Cannot store anything: ${it.brokenMachines.join(', ')}. Look at its log and its disk, and restart it.`
      : it.forgetfulMachines.length ? `Its memory of ${it.forgetfulMachines.join(', ')} was lost: start it once with --readmit, then run 'testudo readmit'.`
      : it.grantsLocksInMillis > 0 ? 'Grants no locks yet: leases from before its start may still run. Stop no other server meanwhile.'
      : it.listening ? 'It takes connections, and all its machines work.' : 'It takes no connections.';
    show('verdict', banner(it.ready ? 'good' : it.brokenMachines.length ? 'bad' : 'warn', it.ready ? 'Ready' : 'Not ready', plain(why)));
    const sum = map => Object.values(map).reduce((all, count) => all + count, 0);
    const messages = course('messages', sum(it.messages), it.uptimeMillis);
    const records = course('records', it.journal.records, it.uptimeMillis);
    const journalBytes = course('bytes', it.journal.bytes, it.uptimeMillis);
    const waits = last(course('waits', it.journal.waits, it.uptimeMillis));
    const waited = last(course('waited', it.journal.waitMicros, it.uptimeMillis));
    const locks = Object.values(it.locks);
    const room = it.objects.bytes / Math.max(1, it.objects.maxBytes);
    show('content',
      h('dl', {class: 'tiles'},
        tile('Messages', rate(last(messages)), number(sum(it.messages)) + ' in all', spark(messages)),
        tile('Journal', rate(last(records)), waits ? `${number(waited / waits / 1000, 2)} ms until on disk` : 'records', spark(records)),
        tile('Connections', number(it.connections), `of ${number(it.connectionsMax)} at most`, bar(it.connections / it.connectionsMax)),
        tile('Room for objects', bytes(it.objects.bytes), `of ${bytes(it.objects.maxBytes)}`, bar(room, room > .8 ? 'bad' : ''))),
      h('div', {class: 'two'},
        section('machines', 'Machines', null, table('Machines', [
          ['machine', one => one],
          ['state', one => it.brokenMachines.includes(one) ? badge('stores nothing', 'bad') : it.forgetfulMachines.includes(one) ? badge('lost its memory', 'bad') : badge('works', 'good')],
          ['locks remembered', one => it.locks[one] ? number(it.locks[one].count) : '', 'n']], it.machines),
          it.grantsLocksInMillis > 0 && h('p', {}, badge('grants locks in ' + span(it.grantsLocksInMillis + 999), 'warn'))),
        section('itself', 'Figures', null, facts(
          fact('incarnation', number(it.incarnation)), fact('version', name(it.version)), fact('settings', name(it.settings)), fact('seals', it.seals),
          fact('principals with rights', number(it.principals)), fact('objects', number(it.objects.count)),
          fact('no room for objects', plural(it.objects.refused, 'time', 'times')),
          fact('no room for locks', plural(locks.reduce((all, one) => all + one.refused, 0), 'time', 'times')),
          fact('journal', rate(last(journalBytes)).replace('/s', ' B/s')), fact('snapshots', number(it.journal.snapshots)),
          fact('unread answers', bytes(it.unreadBytes)), fact('heap', `${bytes(it.heap.usedBytes)} of ${bytes(it.heap.maxBytes)}`)))),
      h('div', {class: 'two'},
        section('messages', 'Messages of clients', null, counts('Messages of clients', 'type', it.messages, 'message ', it.uptimeMillis)),
        h('div', {},
          section('refusals', 'Refused', null, counts('Refused', 'reason', it.refusals, 'refusal ', it.uptimeMillis)),
          section('accused', 'Accusations kept here', 'How many principals say of a server that it said what no correct one says. Any one of them may have made it up.',
            Object.keys(it.accusers).length === 0 ? h('p', {}, 'None.') : table('Accusations kept here', [
              ['server', ([key]) => key], ['principals', ([, count]) => number(count), 'n']], Object.entries(it.accusers))))));
    show('foot', h('p', {}, alone, 'The whole cluster, with locks, objects and suspicions: ', h('code', {}, 'testudo status --serve'), '. ',
      h('a', {href: 'status'}, 'JSON'), ' · ', h('a', {href: 'metrics'}, 'metrics')));
  };

  const member = it => {
    at('name').textContent = `${plain(it.member)} of ${plain(it.ring)}`;
    at('about').textContent = `Member of a ring (${plain(it.backend)}); up for ${span(it.uptimeMillis)}`;
    show('verdict', it.ready ? banner('good', 'Ready', 'It has found its place in the ring.')
      : banner('warn', 'Not ready', 'It looks for its place in the ring; does a member run where it was told to join?'));
    show('content',
      h('dl', {class: 'tiles'},
        tile('Share of all keys', number(100 * it.zoneShare, 1) + ' %', 'that it answers for', bar(it.zoneShare)),
        tile('Other members known', number(it.membersKnown), 'by this one'),
        tile('Kept for others', number(it.entries), 'as a replica or a hop'),
        tile('Began anew', plural(it.restores, 'time', 'times'), 'since a message broke it')),
      h('div', {class: 'two'},
        section('itself', 'Figures', null, facts(
          fact('id', name(it.id)), fact('address', name(it.address)), fact('version', name(it.version)), fact('principals with rights', number(it.principals)),
          fact('heap', `${bytes(it.heap.usedBytes)} of ${bytes(it.heap.maxBytes)}`))),
        section('neighbours', 'Neighbours', null, it.neighbours.length === 0 ? h('p', {}, 'None.')
          : table('Neighbours', [['id', one => name(one)]], it.neighbours))),
      section('refusals', 'Refused', null, counts('Refused', 'reason', it.refusals, 'refusal ', it.uptimeMillis)));
    show('foot', h('p', {}, 'A member knows itself and its neighbours, and nobody knows the whole ring. ',
      h('a', {href: 'status'}, 'JSON'), ' · ', h('a', {href: 'metrics'}, 'metrics')));
  };

  const KINDS = {cluster, server, member};
  let paused = false;
  let failures = 0;
  let looked = null;
  let changed = performance.now();
  let waiting = null;
  let asking = false;
  let every = 0;

  const age = () => {
    const seconds = Math.floor((performance.now() - changed) / 1000);
    const old = looked !== null && !paused && seconds >= Math.max(15, 3 * every);
    at('age').textContent = looked === null ? 'not yet updated' : paused ? 'paused' : seconds < Math.max(5, 2 * every) ? 'live' : `${seconds} s old`;
    at('age').className = 'age' + (paused ? ' paused' : old ? ' old' : '');
  };
  const trouble = text => {
    at('trouble').hidden = !text;
    if (at('trouble').textContent !== text) at('trouble').textContent = text;
  };
  const ask = async () => {
    clearTimeout(waiting);
    if (asking || paused) return;
    asking = true;
    const giveUp = new AbortController();
    const late = setTimeout(() => giveUp.abort(), GIVE_UP_MILLIS);
    try {
      const answer = await fetch('status', {signal: giveUp.signal, cache: 'no-store'});
      if (!answer.ok) throw new Error(plain((await answer.text()).trim() || answer.status));
      const it = await answer.json();
      const mark = it.kind === 'cluster' ? it.look : it.uptimeMillis;
      if (mark !== looked) changed = performance.now();
      looked = mark;
      every = (it.intervalMillis || 0) / 1000;
      KINDS[it.kind](it);
      forgetOthers();
      document.title = `${at('name').textContent}: ${document.querySelector('#verdict strong').textContent}`;
      failures = 0;
      trouble('');
    } catch (e) {
      failures++;
      trouble(`No answer (${e.name === 'AbortError' ? 'too late' : e.message}). What is below is old; the page asks again.`);
    } finally {
      clearTimeout(late);
      asking = false;
      age();
      if (!document.hidden && !paused) waiting = setTimeout(ask, Math.min(SLOWEST_MILLIS, EVERY_MILLIS * 2 ** Math.min(failures, 4)));
    }
  };
  at('pause').addEventListener('click', () => {
    paused = !paused;
    at('pause').textContent = paused ? 'Go on' : 'Pause';
    age();
    ask();
  });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) ask(); });
  setInterval(age, 1000);
  ask();
})();

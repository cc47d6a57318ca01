// The arithmetic of the what-if view: sums of the tables, then pause and ECN points by the rules of
// model/lossless. A test compares it with the library. All values are whole bytes.
"use strict";
fabricgen.whatIf = (() => {
  const upTo = (value, unit) => Math.ceil(value / unit) * unit;
  const bytes = (value) => value.toLocaleString("en");

  // The point of a table: bytes of a group and of a port, with the rule, faults and terms.
  function pointOf(fabric, kind, mtu, speed, length) {
    const { texts, points } = fabric.tables[kind.table];
    const [headroom, below, own, computed, rule, row, isUnproven, fault, terms] = points[mtu][speed][length];
    return { headroom, below, own, computed, rule: texts[rule], row: texts[row], isUnproven: isUnproven === 1, fault: texts[fault],
      terms: terms.map(([name, value, source]) => ({ name: texts[name], value, source: texts[source] })) };
  }

  // The groups of ports of a kind of switch after the change.
  function groupsOf(fabric, kind, chosen) {
    const own = fabric.kinds[chosen.kind], cables = own.groups[chosen.group][0];
    return kind.groups.map(([of, speed, count], number) => {
      const isChosen = kind.sort === own.sort && number === chosen.group;
      return { speed: isChosen ? chosen.speed : speed, count: isChosen ? chosen.ports : count,
        length: of === cables ? chosen.length : fabric.lengths.indexOf(fabric.cables[of][1]) };
    });
  }

  // The memory of a switch: what its ports take, what stays shared, and where it pauses.
  function memoryOf(fabric, kind, chosen) {
    const total = { own: 0, below: 0, headroom: 0, asked: 0, ports: 0 };
    for (const group of groupsOf(fabric, kind, chosen)) {
      const point = pointOf(fabric, kind, chosen.mtu, group.speed, group.length), lossless = group.count * kind.classes;
      total.ports += group.count;
      total.own += group.count * upTo(point.own, kind.cell);
      total.below += lossless * upTo(point.below, kind.cell);
      total.headroom += lossless * upTo(point.headroom, kind.cell);
      total.asked += lossless * point.headroom;
    }
    const groups = total.ports * kind.classes, headroom = kind.pool ?? total.headroom;
    const terms = [...kind.fixed.map(([name, value, source]) => ({ name, value, source })),
      { name: `${total.ports} ports`, value: total.own, source: kind.source },
      { name: `${groups} lossless groups`, value: total.below, source: kind.source },
      kind.pool === null ? { name: "headroom", value: headroom, source: "in full for every lossless group" }
        : { name: "shared headroom pool", value: headroom, source: `${kind.pool_source}; ${bytes(total.headroom)} are needed, ${(total.headroom / kind.pool).toFixed(1)} to 1` }];
    const shared = kind.memory - terms.reduce((sum, term) => sum + term.value, 0);
    const [numerator, denominator] = kind.alpha;
    const pause = shared > 0 && groups > 0 ? Math.floor(shared * numerator / (denominator + numerator * groups)) : null;
    return { headroom, shared, pause, asked: total.asked, needed: total.headroom, groups,
      terms: [...terms.filter((term) => term.value), { name: "shared pool", value: shared, source: "remaining memory" }] };
  }

  // Limits of marking when `feeding` ports fill a queue together.
  function limitsOf(rules, pause, feeding) {
    const [part, whole] = rules.margin, queue = feeding * pause;
    return { queue, feeding, highest: Math.floor(queue * (whole - part) / whole),
      text(maximum) { return `Kmax ${bytes(maximum)} <= ${100 * (whole - part) / whole} % of ${feeding} x ${bytes(pause)} = ${bytes(this.highest)}`; } };
  }

  // The rules that marking points break.
  function broken(rules, mtu, points, limits) {
    const found = [];
    if (points.minimum < mtu + rules.frame) found.push(`Kmin holds one frame: ${bytes(points.minimum)} >= ${bytes(mtu + rules.frame)}`);
    if (points.minimum >= points.maximum) found.push(`Kmin below Kmax: ${bytes(points.minimum)} < ${bytes(points.maximum)}`);
    if (points.maximum > limits.highest) found.push(`marking before ${rules.paused ? "pause" : "loss"}: ${limits.text(points.maximum)}`);
    return found;
  }

  function computed(rules, product, limits) {
    const minimum = Math.max(product, rules.floor), free = rules.ratio * minimum, maximum = Math.min(free, limits.highest);
    return { minimum, maximum, probability: rules.probability, terms: [
      { name: "Kmin: 1 x BDP", value: product, source: "speed x round trip / 8" },
      { name: "Kmin: up to the floor", value: minimum - product, source: rules.source },
      { name: `Kmax: ${rules.ratio} x Kmin`, value: free, source: rules.source },
      { name: "Kmax: down to pause", value: maximum - free, source: `marking before pause: ${limits.text(maximum)}` }] };
  }

  // The marking points of a class and speed: computed, or those of the intent or of the profile.
  function pointsOf(fabric, row, speed, found) {
    const { rules } = fabric, mtu = fabric.mtus[found.mtu], [low, high, chance] = row.written, published = row.published[speed];
    let limits = limitsOf(rules, found.first, rules.ingresses ?? 1), points = computed(rules, found.path[1 + speed], limits), faults = broken(rules, mtu, points, limits);
    const isAlone = found.mixes.every((mix) => !mix.includes(speed) || Math.max(...mix) <= speed);
    if (faults.length && rules.ingresses === null && isAlone) {
      const equal = limitsOf(rules, found.first, 2), fed = computed(rules, found.path[1 + speed], equal), left = broken(rules, mtu, fed, equal);
      if (!left.length) [limits, points, faults] = [equal, fed, left];
    }
    if (published || low || high || chance) {
      const base = published ? { minimum: published[0], maximum: published[1], probability: published[2] } : points;
      limits = limitsOf(rules, found.first, rules.ingresses ?? 1);
      points = { minimum: low || base.minimum, maximum: high || base.maximum, probability: chance || base.probability, terms: [] };
      faults = broken(rules, mtu, points, limits);
    }
    return { ...points, faults, limits, isError: !published || Boolean(low || high) };
  }

  function memoryFaults(fabric, kind, memory, chosen) {
    const found = [], name = kind.switches[0], { codes, over_subscription: most } = fabric.rules;
    if (memory.shared < 0) found.push([codes.exceeded, `${name}: the headroom does not fit, ${bytes(-memory.shared)} bytes are missing`]);
    if (kind.pool !== null && memory.asked > kind.pool * most) {
      found.push([codes.exceeded, `${name}: the headroom is ${(memory.asked / kind.pool).toFixed(1)} times its pool of ${bytes(kind.pool)} bytes, more than ${most}`]);
    }
    for (const group of fabric.rules.paused ? groupsOf(fabric, kind, chosen) : []) {
      const point = pointOf(fabric, kind, chosen.mtu, group.speed, group.length), port = `${kind.model} ${fabric.speeds[group.speed]} ${fabric.lengths[group.length]} m`;
      if (point.isUnproven && kind.configured) found.push([codes.unknown, `${port}: no shipped row and no model of its chip gives its headroom`]);
      if (point.fault) found.push([codes.differs, `${port}: ${point.fault}`]);
    }
    return found;
  }

  // The design after a change. chosen: numbers of kind, group, length, mtu and speed; ports.
  function answer(fabric, chosen) {
    const known = fabric.kinds.filter((kind) => kind.memory !== null), own = fabric.kinds[chosen.kind];
    const memories = new Map(known.map((kind) => [kind, memoryOf(fabric, kind, chosen)]));
    const pauses = [...memories.values()].map((memory) => memory.pause).filter((pause) => pause !== null);
    const first = Math.min(...pauses.length ? pauses : known.map((kind) => kind.memory));
    const mixOf = (kind) => [...new Set(groupsOf(fabric, kind, chosen).map((group) => group.speed))];
    const path = fabric.paths[own.groups[chosen.group][0]][chosen.mtu][chosen.length];
    const found = { mtu: chosen.mtu, first, path, mixes: fabric.kinds.map(mixOf) };
    const refused = known.flatMap((kind) => memoryFaults(fabric, kind, memories.get(kind), chosen)), warned = [], marking = [];
    for (const row of fabric.classes) {
      const speeds = new Set(fabric.kinds.filter((kind) => row.roles.includes(kind.role)).flatMap(mixOf));
      for (const speed of speeds) {
        const points = pointsOf(fabric, row, speed, found);
        const say = points.isError ? refused : warned;
        for (const fault of points.faults) say.push([fabric.rules.codes.marking, `ECN of ${row.class} on ${fabric.speeds[speed]} ports: ${fault}`]);
        marking.push({ class: row.class, roles: row.roles, speed, ...points });
      }
    }
    const once = (rows) => [...new Map(rows.map((row) => [row[1], row])).values()];
    return { port: pointOf(fabric, own, chosen.mtu, chosen.speed, chosen.length), memory: memories.get(own), first, trip: path[0],
      marking: marking.filter((each) => each.roles.includes(own.role)), refused: once(refused), warned: once(warned) };
  }

  // The choice that equals the design.
  function designed(fabric, kind, group) {
    const [cables, speed, ports] = fabric.kinds[kind].groups[group];
    return { kind, group, speed, ports, length: fabric.lengths.indexOf(fabric.cables[cables][1]), mtu: fabric.mtus.indexOf(fabric.mtu) };
  }

  return { answer, designed };
})();

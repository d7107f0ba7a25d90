# Of a class table of 6.4 and later: compaction leaves at most one zspage with room in each class. If its objects could
# move on to free places of the next two classes, how many pages would that give back, and how many objects would move?
# From the smallest class up; a zspage that took others in stays.
NR > 1 && $14 > 0 {
    n++
    per = int($17 * 4096 / $2)
    pages[n] = $17
    last[n] = $15 % per
    room[n] = last[n] ? per - last[n] : 0
}
END {
    for (i = 1; i < n; i++) {
        if (!last[i] || host[i] || last[i] > room[i + 1] + room[i + 2]) continue
        near = last[i] < room[i + 1] ? last[i] : room[i + 1]
        far = last[i] - near
        room[i + 1] -= near; if (near) host[i + 1] = 1
        room[i + 2] -= far; if (far) host[i + 2] = 1
        moved += last[i]; saved += pages[i]
    }
    print saved + 0 " pages, " moved + 0 " objects moved"
}

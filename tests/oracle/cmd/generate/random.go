package main

// random is the SplitMix64 generator. It is written out here because the
// vectors must come out the same on every Go release, and the standard library
// promises that only for its sources, not for the methods built on them.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// below returns a number in [0, n). The slight bias of the remainder does not
// matter for picking test inputs.
func (r *random) below(n int) int {
	return int(r.next() % uint64(n))
}

// chance is true in percent of 100 calls.
func (r *random) chance(percent int) bool {
	return r.below(100) < percent
}

func pick[T any](r *random, choices []T) T {
	return choices[r.below(len(choices))]
}

package gitrepo

import "sync"

// cache keeps recent values in two generations; when the younger one is full, the
// older one is dropped. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	// most is the maximum weight of a generation.
	most       int
	mu         sync.Mutex
	young, old map[K]weighed[V]
	weight     int // of young
}

type weighed[V any] struct {
	value  V
	weight int
}

func (c *cache[K, V]) get(k K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w, ok := c.young[k]; ok {
		return w.value, true
	}
	w, ok := c.old[k]
	if ok {
		c.add(k, w)
	}
	return w.value, ok
}

// put keeps a value of any weight.
func (c *cache[K, V]) put(k K, value V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, weighed[V]{value, weight})
}

func (c *cache[K, V]) add(k K, w weighed[V]) {
	if c.young == nil || c.weight+w.weight > c.most {
		c.young, c.old, c.weight = map[K]weighed[V]{}, c.young, 0
	}
	c.young[k] = w
	c.weight += w.weight
}
